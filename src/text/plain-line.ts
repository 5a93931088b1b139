// Controls steer a terminal, and bidirectional marks reorder what stands around them.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text of somebody else as one line that a terminal shows as it is: what would steer it becomes `�`. */
export function plainLine(text: string): string {
  return text.replace(UNSEEN, '\uFFFD').toWellFormed();
}

const codeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The same with escapes instead of `�`, for logs. @param maxChars  of the text; what is cut off is counted */
export function escapedLine(text: string, maxChars: number): string {
  const rest = text.length - maxChars;
  const kept = rest > 0 ? `${text.slice(0, maxChars)} … ${rest} more characters` : text;
  return kept.toWellFormed().replace(UNSEEN, (char) => SHORT_ESCAPES[char] ?? codeOf(char));
}

/** JSON that a terminal shows as it is, too: escapes what JSON itself leaves alone. */
export function plainJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    codeOf,
  );
}
