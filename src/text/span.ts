/** A range of a text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** True when two spans of one text share a character. */
export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
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
