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
