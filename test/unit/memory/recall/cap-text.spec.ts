import fc from 'fast-check';
import { capOffset } from '../../../../src/memory/memory.service.js';

/** A sentence of this length, and the text after it. */
const sentence = (length: number, end = '. '): string => `${'a'.repeat(length - 1)}${end}`;
const LONG = 'b'.repeat(900);

describe('capOffset', () => {
  it.each<[string, string, number]>([
    ['keeps a short text whole', 'Short. Text', 11],
    ['keeps a text of 800 whole', 'a'.repeat(800), 800],
    [
      'cuts at the last sentence end before 800, not at the first',
      `${sentence(620)}${sentence(100)}${LONG}`,
      722 - 1,
    ],
    ['cuts at a sentence that ends at 800', `${sentence(800)}${LONG}`, 800],
    ['cuts at a sentence that ends at 600', `${sentence(600)}${LONG}`, 600],
    ['does not cut at a sentence that ends before 600', `${sentence(599)}${LONG}`, 800],
    ['accepts a question mark as a sentence end', `${sentence(700, '? ')}${LONG}`, 700],
    ['accepts an exclamation mark as a sentence end', `${sentence(700, '! ')}${LONG}`, 700],
    ['accepts a line break after the sentence end', `${sentence(700, '.\n')}${LONG}`, 700],
    ['does not accept a dot within a word as a sentence end', `${sentence(700, '.x')}${LONG}`, 800],
    ['cuts at the limit if there is no sentence end', LONG, 800],
  ])('%s', (_, text, expected) => {
    expect(capOffset(text)).toBe(expected);
  });

  it.each([
    ['a surrogate pair', '😀'],
    ['a letter from its accent', 'e\u0301'],
    ['a family', '👩‍👩‍👧‍👦'],
    ['a flag', '🇨🇭'],
    ['a line break of two characters', '\r\n'],
  ])('never splits %s', (_, character) => {
    const text = `${'a'.repeat(799)}${character}${LONG}`;
    expect(capOffset(text)).toBe(799);
  });

  it('cuts a single character of unlimited length', () => {
    expect(capOffset(`a${'\u0301'.repeat(2_000)}`)).toBe(800);
  });

  it('cuts at a lower limit by the same rule', () => {
    expect(capOffset(`${sentence(85)}${LONG}`, 100)).toBe(85);
    expect(capOffset(`${sentence(60)}${LONG}`, 100)).toBe(100);
  });

  it('never exceeds the limit and never splits a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 100, maxLength: 1_200 }), (text) => {
        const cut = text.slice(0, capOffset(text));
        expect(cut.length).toBeLessThanOrEqual(800);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
