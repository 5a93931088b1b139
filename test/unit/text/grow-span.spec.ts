import { growLeft, growRight } from '../../../src/text/grow-span.js';

const TEXT = 'one two three four five';

describe('growRight', () => {
  it.each([
    ['nothing for no tokens', 3, TEXT.length, 0, ''],
    ['as many whole words as fit the tokens', 3, TEXT.length, 8, ' two three four'],
    ['everything for many tokens', 3, TEXT.length, 100, ' two three four five'],
    ['nothing past the limit', 3, 14, 100, ' two three'],
    ['nothing at the end', TEXT.length, TEXT.length, 100, ''],
  ])('takes %s', (_, from, limit, tokens, taken) => {
    expect(TEXT.slice(from, growRight(TEXT, { start: from, end: limit }, tokens))).toBe(taken);
  });

  it('takes single characters in scripts without spaces', () => {
    const end = growRight('磁盘已满。请清理它。', { start: 2, end: 10 }, 12);
    expect(end).toBeGreaterThan(2);
    expect(end).toBeLessThan(10);
  });

  it('stops before a word that is longer than the limit allows', () => {
    expect(growRight(`a ${'b'.repeat(600)}`, { start: 1, end: 400 }, 1000)).toBe(1);
  });
});

describe('growLeft', () => {
  it.each([
    ['nothing for no tokens', 18, 0, 0, ''],
    ['as many whole words as fit the tokens', 18, 0, 5, 'three four'],
    ['everything for many tokens', 18, 0, 100, 'one two three four'],
    ['nothing past the limit', 18, 8, 100, 'three four'],
    ['nothing at the start', 0, 0, 100, ''],
  ])('takes %s', (_, from, limit, tokens, taken) => {
    expect(TEXT.slice(growLeft(TEXT, { start: limit, end: from }, tokens), from).trim()).toBe(taken);
  });

  it('stops at a word that exceeds the token limit', () => {
    const text = `${'b'.repeat(600)} a`;
    expect(text.slice(growLeft(text, { start: 0, end: text.length }, 100)).trim()).toBe('a');
  });
});
