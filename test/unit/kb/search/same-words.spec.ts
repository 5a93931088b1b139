import { isSureForm, type KnownTerm, onlyCompletion } from '../../../../src/kb/search/nearest-term.js';
import { sameWords } from '../../../../src/kb/search/resolve-words.js';

const known = (...terms: readonly string[]): KnownTerm[] => terms.map((term) => ({ term, sections: 1 }));
const all = (): boolean => true;

describe('sameWords', () => {
  it.each([
    ['vertex', 'vertic'],
    ['vertic', 'vertex'],
    ['criterion', 'criteria'],
    ['leaf', 'leav'],
    ['k8', 'kubernet'],
    ['kubernet', 'k8'],
    ['a11i', 'access'],
    ['l10n', 'localis'],
  ])('knows for %s also %s', (term, other) => {
    expect(sameWords(term)).toContain(other);
  });

  it.each([['mooring'], ['interv']])('knows none for %s', (term) => {
    expect(sameWords(term)).toEqual([]);
  });
});

describe('onlyCompletion', () => {
  it('finds the only term that begins with a word', () => {
    expect(onlyCompletion('moor', known('mooring'), all)).toBe('mooring');
  });

  it.each<[string, string, KnownTerm[], (term: string) => boolean]>([
    ['several do', 'moor', known('mooring', 'moorland'), all],
    ['none that is visible does', 'moor', known('mooring'), () => false],
    ['the word is short', 'moo', known('mooring'), all],
    ['the other one is no word', 'moor', known('moor2'), all],
  ])('finds none if %s', (_, term, terms, isHeld) => {
    expect(onlyCompletion(term, terms, isHeld)).toBeNull();
  });
});

describe('isSureForm', () => {
  it.each([
    ['authentif', 'authent', true],
    ['internet', 'internal', false],
    ['preset', 'present', false],
  ])('compares %s and %s', (term, form, isSure) => {
    expect(isSureForm(term, form)).toBe(isSure);
  });
});
