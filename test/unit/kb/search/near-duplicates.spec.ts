import fc from 'fast-check';
import { ComparedText, isMuchAlike, isNearDuplicate } from '../../../../src/kb/search/same-elsewhere.js';

/** This number of different words. */
const words = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `w${from + i}`).join(' ');
const isVariant = (a: string, b: string, titleOfB = 'Title'): boolean =>
  isNearDuplicate(new ComparedText('Title', a), new ComparedText(titleOfB, b));

describe('isNearDuplicate', () => {
  it.each<[string, string, string, boolean]>([
    ['the same text', 'The kestrel.', 'The kestrel.', true],
    ['the same words in another order', 'a b c', 'c a b', true],
    ['the same words more often', 'a b', 'a b b a', true],
    ['the same words in capitals', 'The kestrel', 'THE KESTREL', true],
    ['the same words on other lines', 'a b c', 'a\n\nb   c', true],
    ['the same words with white space around', 'a b c', '\n a b c\n', true],
    ['a short text with another word', 'Set it to 4.4.5 now.', 'Set it to 4.4.6 now.', false],
    ['19 words and one more', words(19), `${words(19)} more`, false],
    ['two of 40 words changed', words(40), `${words(38)} x y`, true],
    // 38 of 42 in all are common: .905; 37 of 43 are .86.
    ['three of 40 words changed', words(40), `${words(37)} x y z`, false],
    ['nine tenths of a longer text', words(36), words(40), true],
    ['less than nine tenths of it', words(35), words(40), false],
    ['another text', words(40), words(40, 100), false],
    ['an empty and another text', '', 'a', false],
    ['two empty texts', '', '', true],
  ])('compares %s', (_, a, b, expected) => {
    expect(isVariant(a, b)).toBe(expected);
  });

  it('is false for different titles', () => {
    expect(isVariant(words(40), words(40), 'Another title')).toBe(false);
  });

  it('is symmetric and reflexive', () => {
    const text = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 30 }).map((list) => list.join(' '));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isVariant(a, b)).toBe(isVariant(b, a));
        expect(isVariant(a, a)).toBe(true);
      }),
    );
  });
});

describe('isMuchAlike', () => {
  it.each<[string, string, string, boolean]>([
    ['the same text', words(10), words(10), true],
    ['a text that grew', words(10), words(100), true],
    ['six of ten words', words(10), words(10, 4), true],
    ['five of ten words', words(10), words(10, 5), false],
    ['one word that changed in a short text', 'Since 7.4 only', 'Since 7.5 only', true],
    ['another text', words(10), words(10, 10), false],
  ])('compares %s', (_, a, b, expected) => {
    expect(isMuchAlike(new ComparedText('Title', a), new ComparedText('Title', b))).toBe(expected);
    expect(isMuchAlike(new ComparedText('Title', b), new ComparedText('Title', a))).toBe(expected);
  });
});
