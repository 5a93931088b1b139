import { hashContent, normaliseContent } from '../../../../src/memory/rows/normalise-content.js';

const hidden = (...codes: number[]): string => String.fromCodePoint(...codes);

describe('normaliseContent', () => {
  it.each([
    ['replaces compatibility forms', 'ﬁne Ｗｉｄｅ ①', 'fine wide 1'],
    ['treats composed and decomposed letters as equal', 'e\u0301', '\u00e9'],
    ['converts to lower case', 'ÄRGER Straße', 'ärger straße'],
    ['replaces white space by one space', 'a\t\n\r\n \u00a0\u2003\u3000b', 'a b'],
    ['trims', ' \n a \u2028 ', 'a'],
    ['removes zero-width characters', `a${hidden(0x200b)}b${hidden(0x200d)}c${hidden(0xfeff)}d`, 'abcd'],
    ['removes direction marks and soft hyphens', `a${hidden(0x200f)}b${hidden(0xad)}c`, 'abc'],
    ['removes control characters', `a${hidden(0)}b${hidden(0x1b)}c${hidden(0x7f)}d`, 'abcd'],
    ['leaves one space where a character between spaces was removed', `a ${hidden(0x200b)} b`, 'a b'],
    ['leaves no space at the ends where a character was removed', `${hidden(0x200b)} a ${hidden(0)}`, 'a'],
    ['keeps an empty text', ' ', ''],
  ])('%s', (_, text, expected) => {
    expect(normaliseContent(text)).toBe(expected);
  });
});

describe('hashContent', () => {
  it('is BLAKE3 in hexadecimal', () => {
    // The test vector of the BLAKE3 authors for the empty input, and b3sum of "abc".
    expect(hashContent('')).toBe('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262');
    expect(hashContent(' ABC ')).toBe('6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85');
  });

  it('differs for texts that differ only beyond the length of a snippet', () => {
    const start = 'Same. '.repeat(200);
    expect(hashContent(`${start}one`)).not.toBe(hashContent(`${start}two`));
  });

  it('treats a lone surrogate as the replacement character', () => {
    expect(hashContent('\ud83d')).toBe(hashContent('\ufffd'));
  });
});
