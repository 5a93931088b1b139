import fc from 'fast-check';
import { editDistance } from '../../../src/text/edit-distance.js';

describe('editDistance', () => {
  it.each<[string, string, string, number]>([
    ['nothing between equal texts', 'kestrel', 'kestrel', 0],
    ['nothing between empty texts', '', '', 0],
    ['every letter for an empty text', '', 'owl', 3],
    ['an inserted letter', 'kestrel', 'kestrrel', 1],
    ['a deleted letter', 'kestrel', 'kestel', 1],
    ['a changed letter', 'kestrel', 'kastrel', 1],
    ['two neighbours swapped as one', 'kestrel', 'kesterl', 1],
    ['the first two swapped as one', 'kestrel', 'ekstrel', 1],
    ['two pairs swapped as two', 'abcd', 'badc', 2],
    ['letters swapped across a third one as two', 'abc', 'cba', 2],
    // Optimal string alignment: swapped letters are not edited again, otherwise this would be 2.
    ['no edit between letters that were swapped', 'ca', 'abc', 3],
    ['edits of several kinds', 'kitten', 'sitting', 3],
    ['case as a change', 'A', 'a', 1],
  ])('counts %s', (_, a, b, edits) => {
    expect(editDistance(a, b)).toBe(edits);
  });

  const words = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 8 });

  it('is symmetric', () => {
    fc.assert(fc.property(words, words, (a, b) => expect(editDistance(a, b)).toBe(editDistance(b, a))));
  });

  it('is 0 only for equal texts', () => {
    fc.assert(fc.property(words, words, (a, b) => expect(editDistance(a, b) === 0).toBe(a === b)));
  });

  it('is between the difference of the lengths and the greater length', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const edits = editDistance(a, b);
        expect(edits).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(edits).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});
