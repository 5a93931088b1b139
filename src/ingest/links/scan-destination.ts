import { decodeEntities } from '../reading/decode-entities.js';
import { MAX_HREF_CHARS } from '../reading/parsed-document.js';

/** A link destination, and the end of its syntax. */
export interface Destination {
  /** Without title, angle brackets, Markdown escapes and surrounding white space; may be empty. */
  readonly href: string;
  /** Offset after the destination. */
  readonly end: number;
}

/** As in cmark. A text of opening parentheses only is read at most 32 times. */
const MAX_DEPTH = 32;
const ANGLED = /<((?:[^<>\n\\]|\\.){0,2048})>/y;
const TITLE = /"(?:[^"\\]|\\[^]){0,4096}"|'(?:[^'\\]|\\[^]){0,4096}'|\((?:[^()\\]|\\[^]){0,4096}\)/y;
/** Template tags of Hugo or Jekyll, with what precedes and follows them. They may contain spaces. */
const TEMPLATE = /[^\s(){}<>]{0,200}(?:\{\{[^{}\n]{1,500}\}\}|\{%[^{}\n]{1,500}%\}){1,3}[^\s(){}]{0,500}/y;
const SPACE = /\s*/y;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Reads `(href "title")`; null if it is not a destination. @param at  offset of the `(` */
export function scanDestination(text: string, at: number): Destination | null {
  const start = skip(SPACE, text, at + 1);
  const found = text[start] === '<' ? angled(text, start) : (templated(text, start) ?? bare(text, start));
  if (!found) return null;
  const titleAt = skip(SPACE, text, found.end);
  const end = titleAt > found.end ? skip(SPACE, text, skip(TITLE, text, titleAt)) : titleAt;
  return text[end] === ')' ? { href: found.href, end: end + 1 } : null;
}

/** Removes escapes and decodes entities. */
export function plainHref(written: string): string {
  return decodeEntities(written.replace(ESCAPED, '$1')).trim();
}

function angled(text: string, at: number): Destination | null {
  ANGLED.lastIndex = at;
  const found = ANGLED.exec(text);
  return found ? { href: plainHref(found[1] ?? ''), end: ANGLED.lastIndex } : null;
}

function templated(text: string, at: number): Destination | null {
  TEMPLATE.lastIndex = at;
  const [href] = TEMPLATE.exec(text) ?? [];
  return href === undefined ? null : { href: decodeEntities(href), end: TEMPLATE.lastIndex };
}

/** Reads a destination without angle brackets; its parentheses must be balanced. */
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

/** @returns the offset after the pattern, or `at` if it doesn't match */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
