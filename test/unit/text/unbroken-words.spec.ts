import { unbrokenWords } from '../../../src/text/unbroken-words.js';

/** The same with a pattern. */
const runs = (text: string, least: number): string[] =>
  (text.match(/[\w+/=-]+/g) ?? []).filter(({ length }) => length >= least);
const found = (text: string, least: number): string[] =>
  Array.from(unbrokenWords(text, least), ({ start, end }) => text.slice(start, end));

describe('unbrokenWords', () => {
  it.each([
    ['no text', '', 3],
    ['a run that is the text', 'aB9', 3],
    ['runs at both ends', 'abc def ghi', 3],
    ['runs that are one too short', 'ab cd_ ef', 4],
    ['runs beside each other', 'abc.defg.hijkl.m', 3],
    ['marks of Base64', 'QUJD+/==, x-y_z', 5],
    ['other letters', 'größer Größenordnung \u{1f600}abcd', 4],
    ['single characters', 'a.b', 1],
  ])('finds what a pattern finds: %s', (_, text, least) => {
    expect(found(text, least)).toEqual(runs(text, least));
  });

  it('finds what a pattern finds in every mixture of runs and spaces', () => {
    for (let bits = 0; bits < 2 ** 12; bits += 1) {
      const text = Array.from({ length: 12 }, (_, at) => ((bits >> at) & 1 ? 'x' : ' ')).join('');
      for (const least of [1, 2, 3, 5]) expect(found(text, least)).toEqual(runs(text, least));
    }
  });
});
