import { clipToTokens } from '../../../src/text/estimate-tokens.js';
import { fitsTokens, fitTokens } from '../../../src/text/fit-tokens.js';

/** A text of prose with this many different words. */
const prose = (words: number): string => Array.from({ length: words }, (_, i) => `word${i * 7919}`).join(' ');

describe('fitTokens', () => {
  it('is the estimate for prose', () => {
    expect(fitTokens(prose(40), 20)).toBe(clipToTokens(prose(40), 20));
  });

  it('takes less of a text that repeats few words', () => {
    const text = 'mole quay crane '.repeat(20);
    expect(fitTokens(text, 30)).toBe(clipToTokens(text, 30 * 0.6));
  });

  it.each([
    ['of three words', 'mo mo mo', 1],
    ['with a third and more of different words', 'a b c a b c a b', 1],
    ['without a word', '-- -- -- -- -- --', 1],
    ['of four equal words', 'mo mo mo mo', 0.6],
    ['with less than a third of different words', 'a b a b a b a b', 0.6],
    ['of words of other scripts', 'мол мол мол мол 7 7 7', 0.6],
  ])('measures the repetition of a text %s', (_, text, share) => {
    expect(fitTokens(text, 4)).toBe(clipToTokens(text.slice(0, 16), 4 * share));
  });

  it('takes no less of a text with 34 % of different words', () => {
    const text = Array.from({ length: 50 }, (_, i) => 'abcdefghijklmnopq'.charAt(i % 17)).join(' ');
    expect(fitTokens(text, 25)).toBe(clipToTokens(text, 25));
    expect(fitTokens(text, 25)).toBeGreaterThan(clipToTokens(text, 25 * 0.6));
  });

  it('takes less of a text with an endless word', () => {
    const text = `A ${'x'.repeat(40)} b`;
    expect(fitTokens(text, 12)).toBe(clipToTokens(text, 12 * 0.55));
    expect(fitTokens(`A ${'x'.repeat(39)} b`, 12)).toBe(clipToTokens(`A ${'x'.repeat(39)} b`, 12));
  });

  it('reads no more than can fit', () => {
    const text = `${prose(6)} ${'x'.repeat(5_000)}`;
    expect(fitTokens(text, 5)).toBe(clipToTokens(text.slice(0, 20), 5));
  });
});

describe('fitsTokens', () => {
  it('is true up to the last character that fits', () => {
    const text = prose(40);
    const end = fitTokens(text, 20);
    expect([fitsTokens(text.slice(0, end), 20), fitsTokens(text.slice(0, end + 1), 20)]).toEqual([
      true,
      false,
    ]);
  });
});
