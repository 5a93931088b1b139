import { contentHash } from '../../../../src/memory/rows/content-hash.js';
import { normaliseContent } from '../../../../src/memory/rows/normalise-content.js';

const hidden = (...codes: number[]): string => String.fromCodePoint(...codes);

describe('normaliseContent', () => {
  it.each([
    ['takes compatibility forms for what they stand for', 'ﬁne Ｗｉｄｅ ①', 'fine wide 1'],
    ['takes composed and decomposed letters for the same', 'e\u0301', '\u00e9'],
    ['lowers case', 'ÄRGER Straße', 'ärger straße'],
    ['makes one space of any white space', 'a\t\n\r\n \u00a0\u2003\u3000b', 'a b'],
    ['trims', ' \n a \u2028 ', 'a'],
    ['removes zero-width characters', `a${hidden(0x200b)}b${hidden(0x200d)}c${hidden(0xfeff)}d`, 'abcd'],
    ['removes marks of direction and soft hyphens', `a${hidden(0x200f)}b${hidden(0xad)}c`, 'abc'],
    ['removes control characters', `a${hidden(0)}b${hidden(0x1b)}c${hidden(0x7f)}d`, 'abcd'],
    ['leaves no two spaces where it removed something', `a ${hidden(0x200b)} b`, 'a b'],
    ['leaves no space at the ends where it removed something', `${hidden(0x200b)} a ${hidden(0)}`, 'a'],
    ['keeps what is empty', ' ', ''],
  ])('%s', (_, text, expected) => {
    expect(normaliseContent(text)).toBe(expected);
  });
});

describe('contentHash', () => {
  it('is BLAKE3 in hexadecimal', () => {
    // The test vector of the BLAKE3 authors for the empty input, and b3sum of "abc".
    expect(contentHash('')).toBe('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262');
    expect(contentHash(' ABC ')).toBe('6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85');
  });

  it('tells texts apart that differ after the longest snippet', () => {
    const start = 'Same. '.repeat(200);
    expect(contentHash(`${start}one`)).not.toBe(contentHash(`${start}two`));
  });

  it('takes half a character for what it is sent as', () => {
    expect(contentHash('\ud83d')).toBe(contentHash('\ufffd'));
  });
});
