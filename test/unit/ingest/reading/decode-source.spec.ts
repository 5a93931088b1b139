import {
  decodeAs,
  decodeOlder,
  decodePage,
  decodeSource,
} from '../../../../src/ingest/reading/decode-source.js';
import { MalformedDocumentError } from '../../../../src/ingest/reading/parsed-document.js';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

describe('decodeSource', () => {
  it.each([
    ['UTF-8', bytes('naïve 漢字'), 'naïve 漢字'],
    ['UTF-8 with a byte order mark', bytes([0xef, 0xbb, 0xbf], 'a'), 'a'],
    ['UTF-16 LE', bytes([0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00]), 'a\n'],
    ['UTF-16 BE', bytes([0xfe, 0xff, 0x00, 0x61]), 'a'],
    ['a genuine replacement character', bytes('\uFFFD'), '\uFFFD'],
    ['no bytes', bytes(''), ''],
  ])('reads %s', (_what, source, text) => {
    expect(decodeSource(source)).toBe(text);
  });

  it('converts CRLF and a lone CR to LF', () => {
    expect(decodeSource(bytes('a\r\nb\rc\n'))).toBe('a\nb\nc\n');
  });

  it('converts the separators of Unicode to spaces, since editors count no lines by them', () => {
    expect(decodeSource(bytes('a\u2028b\u2029c'))).toBe('a b c');
  });

  it('reports the line of the first invalid byte', () => {
    const source = bytes('one\r\n\uFFFD\r\n', [0xff], '\n');
    expect(() => decodeSource(source)).toThrow('line 3: invalid UTF-8');
  });

  it('rejects a NUL byte anywhere as binary', () => {
    expect(() => decodeSource(bytes('a\nb', [0], 'c'))).toThrow(MalformedDocumentError);
  });

  it('reports the line of the NUL byte', () => {
    expect(() => decodeSource(bytes('a\nb', [0], 'c'))).toThrow('line 2: binary');
  });

  it('says what to do with other encodings', () => {
    expect(() => decodeSource(bytes([0xe9]))).toThrow('invalid UTF-8; save it as UTF-8');
    const wide = 'UTF-16 without a byte order mark; save it as UTF-8';
    expect(() => decodeSource(Buffer.from('a,b', 'utf16le'))).toThrow(wide);
    expect(() => decodeSource(bytes([0, 0x61, 0, 0x62]))).toThrow(wide);
    expect(() => decodeSource(bytes([0, 0, 1, 0]))).toThrow('binary');
  });

  it('rejects half a UTF-16 character', () => {
    expect(() => decodeSource(bytes([0xff, 0xfe, 0x61]))).toThrow('line 1: invalid UTF-16');
  });
});

describe('decodeAs', () => {
  // WHATWG: https://encoding.spec.whatwg.org/index-windows-1252.txt
  it.each(['windows-1252', 'iso-8859-1', 'us-ascii'])('knows the characters of Windows as %s', (encoding) => {
    expect(decodeAs(encoding, bytes('It', [0x92], 's ', [0x80, 0x20, 0x9f, 0xe9]), true)).toBe('It’s € Ÿé');
  });

  it('leaves the same bytes of other encodings to them', () => {
    expect(decodeAs('ibm866', bytes([0x80, 0x92]))).toBe('АТ');
  });

  it('is what older documents are in that are no UTF-8', () => {
    expect(decodeOlder(bytes('na', [0xef], 've ', [0x96], '\r'))).toBe('naïve –\n');
    expect(decodeOlder(bytes('naïve'))).toBe('naïve');
  });
});

// WHATWG, 13.2.3: the encoding of a page is that of its byte order mark, else the one that it names.
describe('decodePage', () => {
  it.each([
    ['a meta element', '<meta charset="windows-1252"><p>na\xefve \x96 5</p>', 'naïve – 5'],
    [
      'an older one',
      '<META http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>\xd4\xc5\xd3\xd4</p>',
      'тест',
    ],
    ['a declaration', '<?xml version="1.0" encoding="ISO-8859-1"?><p>na\xefve\r\n</p>', 'naïve\n'],
  ])('has the encoding of %s', (_what, page, text) => {
    expect(decodePage(Buffer.from(page, 'latin1'))).toContain(`<p>${text}</p>`);
  });

  it('is UTF-8 whatever it names, and refused if it names nothing, or what is unknown or wrong', () => {
    expect(decodePage(bytes('<meta charset="latin1">naïve'))).toContain('naïve');
    const wide = Buffer.from('\uFEFF<meta charset="latin1">naïve', 'utf16le');
    expect(decodePage(wide)).toContain('naïve');
    for (const page of ['<p>', '<meta charset="klingon">', '<meta charset="utf-8">'])
      expect(() => decodePage(bytes(page, [0xe9]))).toThrow('line 1: invalid UTF-8');
  });
});
