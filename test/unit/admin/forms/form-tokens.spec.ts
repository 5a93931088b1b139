import { type FormFacts, FormTokens } from '../../../../src/admin/forms/form-tokens.js';
import { NOW, SECRET } from '../../../support/builders.js';

const FORM: FormFacts = { operator: 'ann', credential: 'Basic YQ==', path: '/admin/approvals/1' };
const at = (now: number): FormTokens => new FormTokens(SECRET, () => now);
const TOKEN = at(NOW).make(FORM);

describe('FormTokens', () => {
  it('accepts a token for an hour', () => {
    expect(at(NOW).isValid(TOKEN, FORM)).toBe(true);
    expect(at(NOW + 3_600_000).isValid(TOKEN, FORM)).toBe(true);
    expect(at(NOW + 3_600_001).isValid(TOKEN, FORM)).toBe(false);
  });

  it.each<Partial<FormFacts>>([
    { operator: 'ben' },
    { credential: 'Basic Yg==' },
    { path: '/admin/approvals/2' },
  ])('rejects the token of another form: %j', (changed) => {
    expect(at(NOW).isValid(TOKEN, { ...FORM, ...changed })).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['a changed time', TOKEN.replace(/^\d/, '9')],
    ['a time more than an hour in the future', at(NOW + 3_600_001).make(FORM)],
    ['a token of another server', new FormTokens('another secret', () => NOW).make(FORM)],
    ['a shortened token', TOKEN.slice(0, -1)],
  ])('rejects %s', (_, token) => {
    expect(at(NOW).isValid(token, FORM)).toBe(false);
  });
});
