/** A stretch of a text, in UTF-16 units; `end` is the first one behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether two spans of one text share a character. */
export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
