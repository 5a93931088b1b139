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
