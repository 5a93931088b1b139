import fc from 'fast-check';
import { selectPreview } from '../../../../src/kb/search/preview.js';
import { clipText } from '../../../../src/text/span.js';

describe('clipText', () => {
  it.each([
    ['a text that fits', 'one two', 7, 'one two'],
    ['a longer one at a word', 'one two three', 12, 'one two…'],
    ['a single word at the limit', 'onetwothree', 6, 'onetw…'],
    ['no more than half at a word', 'a bcdefghijkl', 10, 'a bcdefgh…'],
    ['an emoji whole', '12345😀😀', 7, '12345…'],
    ['the empty text', '', 5, ''],
  ])('keeps %s', (_, text, maxChars, expected) => {
    expect(clipText(text, maxChars)).toBe(expected);
  });

  it('never exceeds the limit, and never cuts a character in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, maxChars) => {
        expect(clipText(text, maxChars).length).toBeLessThanOrEqual(maxChars);
        expect(clipText(text, maxChars).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('selectPreview', () => {
  it('shows the best span, not the beginning', () => {
    const text = 'Harbour keeps a plan. The disk is full.';
    expect(selectPreview(text, 'disk full', 280)).toEqual({
      text: 'The disk is full.',
      window: { start: 22, end: 39 },
    });
  });

  it('shows up to three spans in reading order', () => {
    const text = 'A disk one. A disk two. A disk three. A disk four.';
    expect(selectPreview(text, 'disk', 280).text).toBe('A disk one. A disk two. … A disk four.');
  });

  it('marks omitted text between two spans', () => {
    expect(selectPreview('One disk. Rest. Two disks.', 'disk', 280).text).toBe('One disk. … Two disks.');
  });

  it('returns the window of the best span even if earlier spans are shown', () => {
    const text = 'A disk one. The disk is full.';
    expect(selectPreview(text, 'disk full', 280).window).toEqual({ start: 12, end: 29 });
  });

  it('shows the beginning if nothing matches', () => {
    expect(selectPreview('One. Two.', 'disk', 280)).toEqual({ text: 'One.', window: { start: 0, end: 4 } });
  });

  it('collapses white space', () => {
    expect(selectPreview('The\n\t disk', 'disk', 280).text).toBe('The disk');
  });

  it('is empty for an empty text', () => {
    expect(selectPreview('', 'disk', 280)).toEqual({ text: '', window: { start: 0, end: 0 } });
  });

  it('never exceeds the requested length', () => {
    const pieces = fc.array(fc.constantFrom('mount', 'disk', 'full.', 'on', '\n\n', '- ', '漢字', '😀'), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 60, max: 600 }), (words, maxChars) => {
        expect(selectPreview(words.join(' '), 'disk full', maxChars).text.length).toBeLessThanOrEqual(
          maxChars,
        );
      }),
    );
  });
});
