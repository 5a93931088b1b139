// Control characters can control a terminal, and bidirectional marks reorder the text around them.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes untrusted text safe to print as one line: control characters and bidirectional marks become `�`. */
export function plainLine(text: string): string {
  return text.replace(UNSEEN, '\uFFFD').toWellFormed();
}

const codeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes untrusted text safe for logs, with escapes instead of `�`. @param maxChars  limit; the rest is counted */
export function escapedLine(text: string, maxChars: number): string {
  const rest = text.length - maxChars;
  const kept = rest > 0 ? `${text.slice(0, maxChars)} … ${rest} more characters` : text;
  return kept.toWellFormed().replace(UNSEEN, (char) => SHORT_ESCAPES[char] ?? codeOf(char));
}

/** Text of a caller in quotation marks, on one line, so that it can't look like words of the server. */
export const quotedLine = (text: string): string => plainJson(text, 0);

/** JSON that is safe to print: also escapes characters that JSON itself leaves unescaped. */
export function plainJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    codeOf,
  );
}
