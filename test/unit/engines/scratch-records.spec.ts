import { NAME_CHARS, ScratchNames } from '../../../src/engines/scratch-records.js';
import { anOwner, SECRET } from '../../support/builders.js';

const names = new ScratchNames(SECRET);

describe('ScratchNames', () => {
  it('reveal nothing of the original names', () => {
    const owner = anOwner('my-session', { projectId: 'my-project', environment: 'my-environment' });
    const all = [names.space(owner), names.session(owner), names.passage(owner, 'my-passage')].join(' ');
    expect(all).not.toContain('my-');
  });

  it("start with the session's name, at a fixed length", () => {
    const owner = anOwner();
    expect(names.session(owner)).toHaveLength(NAME_CHARS);
    expect(names.passage(owner, 'a').slice(0, NAME_CHARS)).toBe(names.session(owner));
  });

  it('differ by secret, except for the prefix of a project', () => {
    const other = new ScratchNames(`${SECRET}!`);
    expect(other.session(anOwner())).not.toBe(names.session(anOwner()));
    expect(other.space(anOwner())).toBe(names.space(anOwner()));
  });

  it.each([
    [
      'projects and environments',
      { projectId: 'a', environment: 'b","c' },
      { projectId: 'a","b', environment: 'c' },
    ],
    ['empty names', { projectId: '', environment: 'a' }, { projectId: 'a', environment: '' }],
  ])('distinguish %s whose concatenation is equal', (_, one, other) => {
    expect(names.space(anOwner('s', one))).not.toBe(names.space(anOwner('s', other)));
    expect(names.session(anOwner('s', one))).not.toBe(names.session(anOwner('s', other)));
  });

  it('distinguish a session and a passage with the same text', () => {
    expect(names.session(anOwner('x'))).not.toBe(names.passage(anOwner(''), 'x').slice(NAME_CHARS + 1));
  });
});
