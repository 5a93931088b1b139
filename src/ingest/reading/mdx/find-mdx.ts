import type { Span } from '../../../text/span.js';
import { findCode } from '../markdown/find-code.js';
import { endOfEsm, type EsmBudget } from '../markdown/strip-esm.js';
import { type JsxTag, scanJsxTag } from './scan-jsx-tag.js';

/** A part of a page that is not prose: code to keep, a tag, a text in braces, or a comment or module code to drop. */
export interface MdxPart {
  readonly kind: 'code' | 'tag' | 'literal' | 'hidden';
  readonly start: number;
  readonly end: number;
  /** Only for kind `tag`. */
  readonly tag: JsxTag | null;
}

interface Scan {
  readonly text: string;
  readonly code: readonly Span[];
  /** Characters that may still be scanned without finding a tag. Keeps the scan linear. */
  budget: number;
  readonly esmBudget: EsmBudget;
  /** Next offset of each closing mark (Infinity if there is none). Valid for searches that start before this offset. */
  readonly marks: Map<string, number>;
}

const COMMENT_OPEN = /\{\s{0,100}\/\*/y;
const BRACE = /\s{0,100}\}/y;
const HEADING_ID = /\{\/\*(?:\s{0,20}#[^\s*]{1,500}\s{0,20}|[^\s*]{1,500})\*\/\}[ \t]{0,20}(?:\n|$)/y;
/** A text in braces, which is not empty. */
const TEXT_EXPRESSION =
  /\{\s{0,100}(?:"[^"\\\n]{1,2000}"|'[^'\\\n]{1,2000}'|`[^`\\${}]{1,4000}`)\s{0,100}\}/y;
const BLANK_EXPRESSION = /\{\s{0,100}(?:'\s{0,100}'|"\s{0,100}")\s{0,100}\}/y;

/** Finds code, and outside code JSX tags, comments and module code, in order and without overlaps. */
export function findMdx(text: string): readonly MdxPart[] {
  const scan: Scan = {
    text,
    code: findCode(text),
    budget: 8 * text.length + 100_000,
    esmBudget: { left: 4 * text.length + 1_000_000 },
    marks: new Map(),
  };
  const parts: MdxPart[] = [];
  let nextCode = 0;
  for (let at = 0; at < text.length;) {
    while ((scan.code[nextCode]?.start ?? Infinity) < at) nextCode++;
    const code = scan.code[nextCode];
    if (code?.start === at) {
      parts.push({ kind: 'code', ...code, tag: null });
      at = code.end;
      continue;
    }
    const part = partAt(scan, at);
    if (part) parts.push(part);
    at = part ? part.end : nextStart(text, at + 1);
  }
  return parts;
}

const START = /[<{`~\n]/g;

/** Every part starts with one of these characters, or at a line start. */
function nextStart(text: string, from: number): number {
  if (text[from - 1] === '\n') return from;
  START.lastIndex = from;
  return START.exec(text)?.index ?? text.length;
}

function partAt(scan: Scan, start: number): MdxPart | null {
  const { text } = scan;
  if (text[start - 1] === '\\') return null;
  if (text[start] === '{') return expressionAt(scan, start);
  if (text.startsWith('<!--', start)) return hidden(start, endAfter(scan, '-->', start + 2));
  if (text[start] === '<') return tagAt(scan, start);
  return mayHoldEsm(text, start) ? hidden(start, endOfEsm(text, start, scan.esmBudget)) : null;
}

/** An id of a heading stays in its text. */
function expressionAt(scan: Scan, start: number): MdxPart | null {
  const { text } = scan;
  if (endOfMatch(HEADING_ID, text, start) >= 0 && isHeading(text, start)) return null;
  const end = endOfMatch(TEXT_EXPRESSION, text, start);
  return end < 0 ? hidden(start, endOfExpression(scan, start)) : { kind: 'literal', start, end, tag: null };
}

const isHeading = (text: string, at: number): boolean =>
  /^[ \t]*#{1,6}[ \t]/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));

function hidden(start: number, end: number): MdxPart | null {
  return end > start ? { kind: 'hidden', start, end, tag: null } : null;
}

/** @returns a negative number if the mark is not found */
function endAfter({ text, marks }: Scan, mark: string, from: number): number {
  let found = marks.get(mark) ?? -1;
  if (found < from) {
    const at = text.indexOf(mark, from);
    found = at < 0 ? Infinity : at;
    marks.set(mark, found);
  }
  return found === Infinity ? -1 : found + mark.length;
}

function endOfExpression(scan: Scan, start: number): number {
  const opened = endOfMatch(COMMENT_OPEN, scan.text, start);
  if (opened < 0) return endOfMatch(BLANK_EXPRESSION, scan.text, start);
  const end = endAfter(scan, '*/', opened);
  return end < 0 ? -1 : endOfMatch(BRACE, scan.text, end);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Module code is at the start of a paragraph; `import` inside a paragraph is prose. */
function mayHoldEsm(text: string, start: number): boolean {
  if (text[start] !== 'i' && text[start] !== 'e') return false;
  return start === 0 || (text[start - 1] === '\n' && isBlankLineBefore(text, start));
}

function isBlankLineBefore(text: string, start: number): boolean {
  const lineStart = text.lastIndexOf('\n', start - 2) + 1;
  return text.slice(lineStart, start).trim() === '';
}

function tagAt(scan: Scan, start: number): MdxPart | null {
  if (scan.budget < 0) return null;
  const found = scanJsxTag(scan.text, start);
  if (found.form === 'none' || isTypeParameter(scan.text, start, found)) {
    scan.budget -= found.end - start;
    return null;
  }
  return { kind: 'tag', start, end: found.end, tag: found };
}

/** True for a type parameter such as `List<String>`: directly after a word, capitalised, without attributes. */
function isTypeParameter(text: string, start: number, tag: JsxTag): boolean {
  return (
    tag.form === 'open' &&
    /\w/.test(text.charAt(start - 1)) &&
    /^(?:[A-Z]|$)/.test(tag.name) &&
    Object.keys(tag.attributes).length === 0
  );
}
