import { endOfString } from '../markdown/strip-esm.js';

export interface JsxTag {
  readonly form: 'open' | 'close' | 'self';
  /** Empty for a fragment. */
  readonly name: string;
  /** Attributes whose value is a text, a number, a truth value (`true` if none is written) or a list of texts. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Offset after the `>`. */
  readonly end: number;
}

/** A scan without a tag; `end` is where it stopped, so that the caller can limit such scans. */
interface NoTag {
  readonly form: 'none';
  readonly end: number;
}

/** Longer than real tags; stops an unclosed brace from consuming the rest of the page. */
const MAX_TAG_CHARS = 20_000;
const NAME = /[A-Za-z][\w.-]*/y;
const ATTRIBUTE_NAME = /[A-Za-z_@:$][\w.:@-]*/y;
const SPACE = /\s*/y;
const STRING = /"([^"\\]*)"|'([^'\\]*)'|`([^`\\$]*)`/g;
const LITERAL =
  /^\{\s*(?:"[^"\\]*"|'[^'\\]*'|`[^`\\$]*`|\[\s*(?:(?:"[^"\\]*"|'[^'\\]*'|`[^`\\$]*`)\s*(?:,\s*|(?=\])))+\]|(-?[\d.]+|true|false))\s*\}$/;

/** The value of an expression in braces: a text, a number, a truth value, or texts with commas; null for other code. */
export function literalValue(expression: string): string | null {
  const found = LITERAL.exec(expression);
  if (!found) return null;
  if (found[1] !== undefined) return found[1];
  return Array.from(expression.matchAll(STRING), (text) => text[1] ?? text[2] ?? text[3] ?? '').join(', ');
}

/** Reads the tag that starts at a `<`. */
export function scanJsxTag(text: string, at: number): JsxTag | NoTag {
  const closing = text[at + 1] === '/';
  const nameAt = at + (closing ? 2 : 1);
  const name = match(NAME, text, nameAt);
  const attributes: Record<string, string> = {};
  let index = skipSpace(text, nameAt + name.length);
  if (closing || name === '') {
    if (text[index] !== '>' || !(closing || index === nameAt)) return { form: 'none', end: index };
    return { form: closing ? 'close' : 'open', name, attributes, end: index + 1 };
  }
  while (index < text.length && index - at < MAX_TAG_CHARS) {
    if (text[index] === '>') return { form: 'open', name, attributes, end: index + 1 };
    if (text.startsWith('/>', index)) return { form: 'self', name, attributes, end: index + 2 };
    const end = scanAttribute(text, index, attributes);
    if (end < 0) return { form: 'none', end: -end };
    if (end === index) break;
    index = skipSpace(text, end);
  }
  return { form: 'none', end: index };
}

/** Adds to `attributes`. @returns the offset after the attribute, or minus the offset of a syntax error */
function scanAttribute(text: string, at: number, attributes: Record<string, string>): number {
  if (text[at] === '{') return endOfBraces(text, at);
  const name = match(ATTRIBUTE_NAME, text, at);
  const equals = skipSpace(text, at + name.length);
  if (name !== '' && text[equals] !== '=') attributes[name] = 'true';
  if (name === '' || text[equals] !== '=') return at + name.length;
  const valueAt = skipSpace(text, equals + 1);
  const quote = text.charAt(valueAt);
  if (quote === '{') {
    const end = endOfBraces(text, valueAt);
    const literal = end < 0 ? null : literalValue(text.slice(valueAt, end));
    if (literal !== null) attributes[name] = literal;
    return end;
  }
  if (quote !== '"' && quote !== "'") return -valueAt;
  const close = text.slice(valueAt + 1, valueAt + MAX_TAG_CHARS).indexOf(quote);
  if (close < 0) return -Math.min(text.length, valueAt + MAX_TAG_CHARS);
  attributes[name] = text.slice(valueAt + 1, valueAt + 1 + close);
  return valueAt + close + 2;
}

/** @returns the offset after the closing brace, or minus the offset reached without finding one */
function endOfBraces(text: string, at: number): number {
  const limit = Math.min(text.length, at + MAX_TAG_CHARS);
  let depth = 0;
  for (let index = at; index < limit;) {
    const char = text.charAt(index);
    if (char === '{') depth++;
    if (char === '}') depth--;
    if (depth === 0) return index + 1;
    index = char === '"' || char === "'" || char === '`' ? endOfString(text, index) : index + 1;
  }
  return -limit;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function skipSpace(text: string, at: number): number {
  return at + match(SPACE, text, at).length;
}
