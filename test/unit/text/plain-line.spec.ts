import { plainJson, plainLine } from '../../../src/text/plain-line';

describe('plainLine', () => {
  it.each([
    ['an escape sequence', 'a\u001b[31mb', 'a�[31mb'],
    ['line breaks', 'a\r\nb\u2028c', 'a��b�c'],
    ['NUL and C1 controls', '\0\u009b', '��'],
    ['bidirectional marks', 'a\u202eb\u2066', 'a�b�'],
    ['half a character', 'a\ud83d', 'a�'],
    ['letters of any script', 'Schlüssel 設定 \u{1F600}', 'Schlüssel 設定 \u{1F600}'],
  ])('prints %s safely', (_, text, shown) => {
    expect(plainLine(text)).toBe(shown);
  });
});

describe('plainJson', () => {
  it('keeps the value and prints no control characters', () => {
    const value = { a: '\u001b[31m\u009b0m\u202e \u2028 \u007f', b: [1, 'ä'] };
    expect(JSON.parse(plainJson(value))).toEqual(value);
    expect(plainJson(value, 0)).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
  });
});
