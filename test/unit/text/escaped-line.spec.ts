import fc from 'fast-check';
import { escapedLine } from '../../../src/text/plain-line.js';
import { codePoints } from '../../support/code-points.js';

describe('escapedLine', () => {
  it.each([
    ['plain – ünïcode 設定 😀', 'plain – ünïcode 設定 😀'],
    ['a\nb\r\n\tc', 'a\\nb\\r\\n\\tc'],
    ['\u001b[31mred\u009b0m\u0000', '\\u001b[31mred\\u009b0m\\u0000'],
    ['a\u202eb\u2066c\u200fd\u061ce', 'a\\u202eb\\u2066c\\u200fd\\u061ce'],
    ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['\ud800', '\ufffd'],
  ])('converts %j to %j', (text, expected) => {
    expect(escapedLine(text, 100)).toBe(expected);
  });

  it('truncates the text and reports how much is missing', () => {
    expect(escapedLine('x'.repeat(900_000), 10)).toBe('xxxxxxxxxx … 899990 more characters');
    expect(escapedLine('x'.repeat(10), 10)).toBe('xxxxxxxxxx');
  });

  it('returns one line of limited length without control characters for every text', () => {
    const steers = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
    fc.assert(
      fc.property(fc.string({ unit: codePoints, maxLength: 200 }), (text) => {
        const line = escapedLine(text, 100);
        expect(line).not.toMatch(steers);
        expect(line.length).toBeLessThan(640);
      }),
    );
  });
});
