import fc from 'fast-check';
import { growWindow, readWindow } from '../../../../src/kb/excerpts/excerpt.service.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';
import { wholeOffset } from '../../../../src/text/span.js';

const WIDE = { maxTokens: 800, maxBytes: 32_768, maxChars: Infinity };
const SENTENCE = 'The keeper writes the name of every ship into the book. ';
const texts = fc
  .array(fc.constantFrom('word', ' ', '\n', '漢字', '😀', 'averylongwordwithoutanyend'), {
    minLength: 1,
    maxLength: 400,
  })
  .map((pieces) => pieces.join(''));
const limits = fc.record({
  maxTokens: fc.integer({ min: 16, max: 800 }),
  maxBytes: fc.integer({ min: 256, max: 2_000 }),
  maxChars: fc.constant(Infinity),
});

describe('wholeOffset', () => {
  it.each([
    ['a😀b', 1, 1],
    ['a😀b', 2, 1],
    ['a😀b', 3, 3],
    ['a😀b', 0, 0],
    ['a😀b', 4, 4],
    ['漢字', 1, 1],
  ])('moves an offset into %j at %i to %i', (text, offset, snapped) => {
    expect(wholeOffset(text, offset)).toBe(snapped);
  });
});

describe('readWindow', () => {
  it('reads a text that fits to its end', () => {
    expect(readWindow('One two.', { start: 4, end: 8 }, WIDE)).toEqual({ start: 4, end: 8 });
  });

  it('stops at the given end', () => {
    expect(readWindow('One two three', { start: 0, end: 7 }, WIDE)).toEqual({ start: 0, end: 7 });
  });

  it('cuts at white space', () => {
    const text = SENTENCE.repeat(20);
    const { end } = readWindow(text, { start: 0, end: text.length }, { ...WIDE, maxTokens: 50 });
    expect(text.slice(end - 1, end + 1)).toMatch(/^\S\s$/);
  });

  it('respects the byte limit in scripts with several bytes per character', () => {
    const text = '漢'.repeat(400);
    const { start, end } = readWindow(text, { start: 0, end: text.length }, { ...WIDE, maxBytes: 300 });
    expect(Buffer.byteLength(text.slice(start, end))).toBeLessThanOrEqual(300);
    expect(end).toBeGreaterThan(50);
  });

  it('never cuts a character in two, even if nothing more fits', () => {
    const text = '😀averylongwordwithoutanyendaverylongwordwithoutanyend';
    const limits = { maxTokens: 16, maxBytes: 256, maxChars: Infinity };
    expect(readWindow(text, { start: 0, end: text.length }, limits)).toEqual({ start: 0, end: 2 });
  });

  it('respects all limits and characters, and always advances, from any position in any text', () => {
    fc.assert(
      fc.property(texts, fc.nat(), limits, (text, offset, limit) => {
        const from = wholeOffset(text, offset % text.length);
        const { start, end } = readWindow(text, { start: from, end: text.length }, limit);
        const read = text.slice(start, end);
        expect([start, end > start, read.isWellFormed()]).toEqual([from, true, true]);
        expect(Buffer.byteLength(read)).toBeLessThanOrEqual(limit.maxBytes);
        expect(estimateTokens(read)).toBeLessThanOrEqual(limit.maxTokens);
      }),
    );
  });
});

describe('growWindow', () => {
  const text = SENTENCE.repeat(60);
  const window = { start: SENTENCE.length * 30, end: SENTENCE.length * 31 };

  it('leaves the window as it is for no tokens', () => {
    expect(growWindow(text, window, { before: 0, after: 0 })).toEqual(window);
  });

  it('widens by about the given tokens on each side', () => {
    const grown = growWindow(text, window, { before: 150, after: 150 });
    expect(estimateTokens(text.slice(grown.start, window.start))).toBeGreaterThan(100);
    expect(estimateTokens(text.slice(window.end, grown.end))).toBeGreaterThan(100);
  });

  it('widens by no more than the given tokens', () => {
    const grown = growWindow(text, window, { before: 150, after: 0 });
    expect(estimateTokens(text.slice(grown.start, window.start))).toBeLessThanOrEqual(150);
    expect(grown.end).toBe(window.end);
  });

  it('stays within the text', () => {
    expect(growWindow('One two.', { start: 4, end: 5 }, { before: 800, after: 800 })).toEqual({
      start: 0,
      end: 8,
    });
  });
});
