/** A part of RTF: a group's mark, a control word with its number, a byte in the code page of the text, or plain text. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly number: number | null }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'text'; readonly text: string };

const WORD = /\\(?:([a-zA-Z]{1,32})(-?\d{1,10})? ?|'([\da-fA-F]{2})|([^a-zA-Z]))/y;
const TEXT = /[^\\{}\r\n]+/y;

/** Splits RTF into its parts. @param source  its bytes as Latin-1 */
export function* rtfTokens(source: string): Generator<RtfToken> {
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    if (char === '{' || char === '}') {
      yield char === '{' ? { kind: 'open' } : { kind: 'close' };
      at++;
    } else if (char === '\\') {
      WORD.lastIndex = at;
      const [written = '\\', word, number, hex, symbol] = WORD.exec(source) ?? [];
      at += written.length;
      if (hex !== undefined) yield { kind: 'byte', byte: Number.parseInt(hex, 16) };
      else if (word === 'bin') at += Math.max(0, Number(number ?? 0));
      else
        yield {
          kind: 'word',
          word: word ?? symbol ?? '',
          number: number === undefined ? null : Number(number),
        };
    } else if (char === '\r' || char === '\n') at++;
    else {
      TEXT.lastIndex = at;
      const [text = char] = TEXT.exec(source) ?? [];
      at += text.length;
      yield { kind: 'text', text };
    }
  }
}

/** Characters by their control words. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  '\\': '\\',
  '{': '{',
  '}': '}',
  '~': ' ',
  _: '-',
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  zwnj: '\u200c',
  zwj: '\u200d',
};

/** Code pages by the number of a character set of a font. */
export const CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** The name of a code page; the one of Western Europe for one that is not known. */
export function pageNamed(number: number): string {
  const known: Readonly<Record<number, string>> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    65001: 'utf-8',
    10000: 'macintosh',
    866: 'ibm866',
    874: 'windows-874',
  };
  return known[number] ?? (number >= 1250 && number <= 1258 ? `windows-${number}` : 'windows-1252');
}
