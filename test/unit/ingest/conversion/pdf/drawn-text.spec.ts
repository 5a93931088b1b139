import { PageReader } from '../../../../../src/ingest/conversion/pdf/drawn-text.js';
import { PLAIN } from '../../../../../src/ingest/conversion/pdf/fonts.js';
import { IDENTITY } from '../../../../../src/ingest/conversion/pdf/matrix.js';

const glyph = (unicode: string, width = 500) => ({ unicode, width });
const FORMULA = { ...PLAIN, isItalic: true };

describe('accents over letters', () => {
  it.each([
    ['x', 'x\u0302'],
    ['a', 'â'],
    ['\u{1d465}', '\u{1d465}\u0302'],
  ])('are on the whole letter: %s', (letter, expected) => {
    const inWord = new PageReader(IDENTITY);
    inWord.set({ size: 10 });
    inWord.show([glyph('n'), glyph('ˆ'), 500, glyph(letter), glyph('m')]);
    const inFormula = new PageReader(IDENTITY);
    inFormula.set({ size: 10 });
    inFormula.show([glyph('ˆ')]);
    inFormula.moveTo(IDENTITY);
    inFormula.set({ font: FORMULA });
    inFormula.show([glyph(letter), glyph('m')]);
    const texts = [inWord, inFormula].map((reader) => {
      reader.endWord();
      return reader.words.map(({ text }) => text);
    });
    expect(texts).toEqual([[`n${expected}m`], [`${expected}m`]]);
  });
});
