/** A range of a text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Most characters are printable ASCII, for which the pattern is slow.
  return code <= 32 || code > 126 ? /\s/.test(text.charAt(at)) : false;
}

/** Removes white space from both ends of a span; null if nothing is left. */
export function trimSpan(text: string, { start, end }: Span): Span | null {
  let [from, to] = [start, end];
  while (from < to && isSpace(text, from)) from++;
  while (to > from && isSpace(text, to - 1)) to--;
  return from < to ? { start: from, end: to } : null;
}

/** Moves an offset one unit to the left if it would split a surrogate pair. */
export function wholeOffset(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff && at < text.length ? at - 1 : at;
}

/** Shortens text, at a word border if possible, with `…` at the end. @param limit  in UTF-16 units, > 1 */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const at = wholeOffset(text, limit - 1);
  const space = text.lastIndexOf(' ', at);
  return `${text.slice(0, space > limit / 2 ? space : at).trimEnd()}…`;
}

/** Finds how much of a text fits into a number of UTF-8 bytes. @returns a UTF-16 offset, never inside a character */
export function clipToBytes(text: string, maxBytes: number): number {
  if (Buffer.byteLength(text) <= maxBytes) return text.length;
  // The last character may be incomplete; it is then decoded as a replacement character, which is removed.
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '').length;
}
