import { decodePercent, encodeParts } from '../../../src/text/percent-encoding.js';

describe('decodePercent', () => {
  it.each([
    ['a%20b', 'a b'],
    ['caf%C3%A9', 'café'],
    ['100%', '100%'],
    ['%C3', '%C3'],
  ])('reads %s as %s', (text, decoded) => {
    expect(decodePercent(text)).toBe(decoded);
  });
});

describe('encodeParts', () => {
  it('encodes the parts of a path, and half a surrogate pair as a replacement', () => {
    expect(encodeParts('a b/c#d?.md')).toBe('a%20b/c%23d%3F.md');
    expect(encodeParts('\ud800')).toBe('%EF%BF%BD');
  });
});
