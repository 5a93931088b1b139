import { decodeEntities } from '../reading/decode-entities.js';

/** Where a link leads, and where its syntax ends. */
export interface Destination {
  /** Without surrounding white space, title, angle brackets and Markdown escapes; may be empty. */
  readonly href: string;
  /** Offset after it. */
  readonly end: number;
}

/** Longer ones are no links: nobody writes them, and a bound keeps a page of openings cheap. */
export const MAX_HREF_CHARS = 2048;
/** As in cmark; each opening adds one, so a megabyte of them costs 32 looks at each character. */
const MAX_DEPTH = 32;
const ANGLED = /<((?:[^<>\n\\]|\\.){0,2048})>/y;
const TITLE = /"(?:[^"\\]|\\[^]){0,4096}"|'(?:[^'\\]|\\[^]){0,4096}'|\((?:[^()\\]|\\[^]){0,4096}\)/y;
const SPACE = /\s*/y;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/**
 * Reads `(href "title")`.
 * @param at  of the `(`
 * @returns null where no destination stands there
 */
export function scanDestination(text: string, at: number): Destination | null {
  const start = skip(SPACE, text, at + 1);
  const found = text[start] === '<' ? angled(text, start) : bare(text, start);
  if (!found) return null;
  const titleAt = skip(SPACE, text, found.end);
  const end = titleAt > found.end ? skip(SPACE, text, skip(TITLE, text, titleAt)) : titleAt;
  return text[end] === ')' ? { href: found.href, end: end + 1 } : null;
}

/** Takes escapes and entities off a destination. */
export function plainHref(written: string): string {
  return decodeEntities(written.replace(ESCAPED, '$1')).trim();
}

function angled(text: string, at: number): Destination | null {
  ANGLED.lastIndex = at;
  const found = ANGLED.exec(text);
  return found ? { href: plainHref(found[1] ?? ''), end: ANGLED.lastIndex } : null;
}

/** Parentheses within it must be balanced. */
function bare(text: string, start: number): Destination | null {
  const limit = Math.min(text.length, start + MAX_HREF_CHARS + 1);
  let depth = 0;
  let at = start;
  for (; at < limit; at++) {
    const char = text.charAt(at);
    if (char <= ' ' || (char === ')' && depth === 0)) break;
    if (char === '\\') at++;
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (depth > MAX_DEPTH) return null;
  }
  return at < limit && depth === 0 ? { href: plainHref(text.slice(start, at)), end: at } : null;
}

/** Offset after the pattern, or the same one where it doesn't match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
