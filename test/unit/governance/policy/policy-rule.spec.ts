import { policyRuleSchema } from '../../../../src/governance/policy/policy-rule.js';

/** Where the errors of a rule are; none if it is valid. */
const errorsOf = (fields: object): string[] =>
  policyRuleSchema
    .safeParse({ name: 'r', effect: 'deny', ...fields })
    .error?.issues.map(({ path }) => path.join('.')) ?? [];

const zone = (time_zone: string) => ({ time: { time_zone } });
const tag = (value: string) => ({ scope: { doc_tags: [value] } });

describe('policyRuleSchema', () => {
  it.each<[object]>([
    [{ name: 'A.rule-of_64'.padEnd(64, 'x') }],
    [{ tools: ['kb.*', 'get_doc', 'files.read-file'] }],
    [{ principals: ['team', 'team:ada+1@b.example', '*'] }],
    [{ time: { from: '00:00', to: '23:59', time_zone: 'Europe/Berlin' } }],
    [tag('two words')],
    [{ effect: 'approve', approver: 'caller', expires_in_minutes: 1 }],
    [{ effect: 'review', expires_in_minutes: 10_080 }],
  ])('accepts %j', (fields) => {
    expect(errorsOf(fields)).toEqual([]);
  });

  it.each<[string, object]>([
    ['name', { name: '-r' }],
    ['name', { name: 'r'.repeat(65) }],
    ['name', { name: 'a rule' }],
    ['', { unknown: 1 }],
    ['tools', { tools: [] }],
    ['tools.0', { tools: ['kb search'] }],
    ['tools.0', { tools: ['kb.search?'] }],
    ['tools.0', { tools: ['x'.repeat(129)] }],
    ['principals.0', { principals: ['a b'] }],
    ['principals.0', { principals: ['team:'] }],
    ['principals.0', { principals: [':ada'] }],
    ['principals.0', { principals: ['team:a b'] }],
    ['safety', { safety: [] }],
    ['time.from', { time: { from: '24:00' } }],
    ['time.from', { time: { from: '8:00' } }],
    ['time.to', { time: { to: '08:60' } }],
    ['time.to', { time: { to: '08:000' } }],
    ['time.days', { time: { days: [] } }],
    ['time.time_zone', zone('Mars/Olympus')],
    ['time.time_zone', zone('')],
    ['scope.doc_tags.0', tag('')],
    ['scope.doc_tags.0', tag('a*')],
    ['scope.doc_tags.0', tag(' a')],
    ['scope.doc_tags.0', tag('a ')],
    ['scope.doc_tags', { scope: { doc_tags: [] } }],
    ['approver', { approver: 'operator' }],
    ['approver', { effect: 'review', approver: 'operator' }],
    ['expires_in_minutes', { expires_in_minutes: 5 }],
    ['expires_in_minutes', { effect: 'allow', expires_in_minutes: 5 }],
    ['expires_in_minutes', { effect: 'approve', expires_in_minutes: 0 }],
    ['expires_in_minutes', { effect: 'approve', expires_in_minutes: 10_081 }],
  ])('finds the error at %j of %j', (at, fields) => {
    expect(errorsOf(fields)).toEqual([at]);
  });

  it('names the pattern that can match nothing', () => {
    const { error } = policyRuleSchema.safeParse({ name: 'r', effect: 'deny', tools: ['kb search'] });
    expect(error?.issues[0]?.message).toContain('"kb search"');
  });

  it('is for the whole day in UTC if nothing else is said', () => {
    expect(policyRuleSchema.parse({ name: 'r', effect: 'deny', time: {} }).time).toEqual({
      from: '00:00',
      to: '00:00',
      time_zone: 'UTC',
    });
  });
});
