import type { DocumentFlag } from '../../core/section.js';
import { removeInvisible } from '../../text/remove-invisible.js';
import { unbrokenWords } from '../../text/unbroken-words.js';
import { findCode } from '../reading/markdown/find-code.js';
import { FLAG_KINDS, type FlagKind } from './flag-patterns.js';
import { findHiddenText, firstIn } from './hidden-text.js';
import { plainForm } from './plain-form.js';

/** HTML that AsciiDoc passes through. */
const PASSED =
  /^\+{4}$[\s\S]*?(?:^\+{4}$|(?![\s\S]))|\+{3}[^+\n]{1,2000}\+{3}|pass:[a-z,]{0,50}\[[^[\]\n]{0,2000}\]/gm;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The HTML of a file at its offsets, with white space for everything else. */
function htmlOf(path: string, source: string): string {
  if (/\.html?$/i.test(path)) return source;
  const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(path);
  if (!isMarkdown && !/\.(?:adoc|asciidoc)$/i.test(path)) return '';
  const spans = isMarkdown
    ? findCode(source)
    : Array.from(source.matchAll(PASSED), ({ index, 0: text }) => ({
        start: index,
        end: index + text.length,
      }));
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    const [between, within] = [source.slice(from, start), source.slice(start, end)];
    pieces.push(...(isMarkdown ? [between, blank(within)] : [blank(between), within]));
    from = end;
  }
  pieces.push(isMarkdown ? source.slice(from) : '');
  return pieces.join('');
}

const TAGS = /[\u{e0000}-\u{e007f}]/u;
/** In HTML and YAML, a character can also be written by its number or name. */
const ENTITY = /&#|&(?:shy|zwn?j|[lr]rm|zerowidthspace|nobreak);|\\[uU]/i;
/** Longer words are files, not sentences; without a limit, they would also exceed the stack. */
const BASE64 = /^[A-Za-z0-9+/]{24,2000}={0,2}$/;
const MIN_BASE64 = 24;
/** Sentences in Base64 that are looked at. */
const MAX_SENTENCES = 1_000;
const PRINTABLE = /^[\t\n\r\x20-\x7e]{16,}$/;

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Characters that nobody can see: one flag for the document. @param removed  their number, written as such or not */
function hiddenFlag(source: string, removed: number): DocumentFlag[] {
  if (removed === 0) return [];
  const { removedAt } = removeInvisible(source);
  const hasTags = removedAt.some((at) => TAGS.test(String.fromCodePoint(source.codePointAt(at) ?? 0)));
  const what = hasTags ? ', among them hidden text in Unicode tags' : '';
  const count = removed === 1 ? '1 invisible character' : `${removed} invisible characters`;
  const first = removedAt[0] ?? Math.max(0, source.search(ENTITY));
  return [{ line: lineAt(source, first), reason: `has ${count}${what}` }];
}

/** How a document is read. */
interface ReadAs {
  /** Its extension tells where HTML can be. */
  readonly path: string;
  /** The text that is indexed. */
  readonly text: string;
}

/** Pages without these attributes hide no text; skips a slow search. */
const MAY_HIDE = /\s(?:style|hidden|aria-hidden)\b/i;

/** Text that is indexed although the page hides it: one flag for the document. */
function unshownFlag(source: string, { path, text }: ReadAs): DocumentFlag[] {
  if (!MAY_HIDE.test(source)) return [];
  const html = htmlOf(path, source);
  const first = firstIn(text, findHiddenText(html), html);
  if (!first) return [];
  return [{ line: lineAt(source, first.start), reason: 'has text that the page hides from its readers' }];
}

/** Sentences in Base64, by the line that they are on. */
function* decoded(source: string): Generator<{ readonly line: number; readonly text: string }> {
  let [line, from, sentences] = [1, 0, 0];
  for (const { start, end } of unbrokenWords(source, MIN_BASE64)) {
    const word = source.slice(start, end);
    const text = BASE64.test(word) ? Buffer.from(word, 'base64').toString('latin1') : '';
    if (!PRINTABLE.test(text)) continue;
    if (++sentences > MAX_SENTENCES) return;
    line += lineAt(source.slice(from, start), start - from) - 1;
    from = start;
    yield { line, text };
  }
}

/** No pattern matches text that is further from its word. */
const REACH = 500;
const WINDOW = 3 * REACH;

/**
 * The first match, without white space before it; -1 if there is none. Only the text around the words of the kind is
 * searched, which takes a fraction of the time.
 */
function startOf(text: string, { words, pattern }: FlagKind): number {
  words.lastIndex = 0;
  for (let word = words.exec(text); word; word = words.exec(text)) {
    const start = Math.max(0, word.index - REACH);
    const end = word.index + word[0].length + WINDOW;
    // A letter, where the window does not begin or end a line.
    const before = start === 0 || text[start - 1] === '\n' ? '' : 'x';
    const around = before + text.slice(start, end) + (end < text.length ? 'x' : '');
    const at = around.search(pattern());
    if (at >= 0) return start - before.length + at + around.slice(at).search(/\S/);
    words.lastIndex = end - REACH;
  }
  return -1;
}

/** The first place of each kind of text. */
function patternFlags(source: string): DocumentFlag[] {
  const flags = new Map<string, number>();
  const search = (text: string, lineOf: (at: number) => number): void => {
    for (const kind of FLAG_KINDS) {
      const at = startOf(text, kind);
      if (at >= 0) flags.set(kind.reason, Math.min(flags.get(kind.reason) ?? Infinity, lineOf(at)));
    }
  };
  const plain = plainForm(source);
  search(plain, (at) => lineAt(plain, at));
  for (const { line, text } of decoded(source)) search(plainForm(text), () => line);
  return Array.from(flags, ([reason, line]) => ({ line, reason }));
}

/**
 * Finds texts that address assistants, forged marks, and text and characters that nobody can see. Documents are only flagged:
 * they are indexed and answered from like others.
 * @param source  the whole file, with front matter and comments
 * @param removed  number of invisible characters that were removed from the document
 * @returns by line, one flag for each reason
 */
export function findFlags(
  source: string,
  removed: number,
  readAs: ReadAs = { path: '', text: '' },
): DocumentFlag[] {
  const flags = [...hiddenFlag(source, removed), ...unshownFlag(source, readAs), ...patternFlags(source)];
  return flags.sort((a, b) => a.line - b.line || (a.reason < b.reason ? -1 : 1));
}
