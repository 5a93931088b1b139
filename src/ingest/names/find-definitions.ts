import { SPAN_MARK } from '../reading/markdown/mask-code.js';
import { REMARKS } from './known-names.js';

/** The terms and code spans that a masked text defines. */
interface Definitions {
  /** Terms in bold or italics, without Markdown marks. */
  readonly terms: readonly string[];
  /** Indexes of the spans that are the subject of a table row, a list item or a sentence. */
  readonly spans: ReadonlySet<number>;
  /** Indexes of the spans in the first column of a table of settings. */
  readonly settings: ReadonlySet<number>;
}

const LEAD = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/;
const DEFINING = /^[ \t]*(?:[:–—]|-(?=[ \t])|(?:is|are|means|refers to|stands for|denotes)\b)/;
const TERM = /^(\*\*|__|\*|_)(?![*_\s])([^*_\n]{2,60})\1/;
const SENTENCE = /[.!?][ \t]+(?=[*_])/g;
const RULE_ROW = /^(?=[^|]*\|)[\s|:=-]+$/;
const SETTINGS = /option|setting|config|\bkeys?\b|propert|variable/i;
// The first cell of a defining row starts with a span, which may be in emphasis or a link.
const CELL_START = new RegExp(`^[\\s|]*[\\[*_]{0,4}${SPAN_MARK}`);
const ITEM_SPAN = new RegExp(
  `^[ \\t>]*(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?:\\[[ xX]\\][ \\t]+)?[\\[*_]{0,4}${SPAN_MARK}[\\]*_]{0,4}([^\\n]{0,80})`,
);
const LINE_SPAN = new RegExp(`^[ \\t>]*[\\[*_]{0,4}${SPAN_MARK}[\\]*_]{0,4}([^\\n]{0,20})`);

export function findDefinitions(prose: string): Definitions {
  const found = { terms: [] as string[], spans: new Set<number>(), settings: new Set<number>() };
  const lines = prose.split('\n');
  let next = 0;
  let table: { readonly isSettings: boolean } | null = null;
  for (const [i, line] of lines.entries()) {
    const isRow = line.includes('|');
    if (!isRow) table = null;
    if (isRow && !table && RULE_ROW.test(lines[i + 1] ?? '')) {
      table = { isSettings: SETTINGS.test(firstCell(line)) };
    } else if (table && CELL_START.test(line)) {
      const marks = countMarks(firstCell(line));
      for (let i = 0; i < marks; i++) {
        found.spans.add(next + i);
        if (table.isSettings) found.settings.add(next + i);
      }
    } else if (!table) {
      if (definesSpan(line)) found.spans.add(next);
      found.terms.push(...termsOf(line, lines[i + 1] ?? ''));
    }
    next += countMarks(line);
  }
  return found;
}

function firstCell(row: string): string {
  const bare = row.replace(/^[\s>]*\|/, '');
  const end = bare.indexOf('|');
  return end < 0 ? bare : bare.slice(0, end);
}

function countMarks(line: string): number {
  let marks = 0;
  for (let at = line.indexOf(SPAN_MARK); at >= 0; at = line.indexOf(SPAN_MARK, at + 1)) marks++;
  return marks;
}

/** True for a list item or a line that starts with a span and defines it. */
function definesSpan(line: string): boolean {
  if (!line.includes(SPAN_MARK)) return false;
  const item = ITEM_SPAN.exec(line)?.[1];
  if (item !== undefined)
    return (
      /^[ \t]*(?:\([^()]*\)|\*[^*]*\*)?[\])*_]*[ \t]*(?:[:–—]|-{1,2}(?=[ \t])|=(?=[ \t]))/.test(item) ||
      DEFINING.test(item)
    );
  const rest = LINE_SPAN.exec(line)?.[1];
  return rest !== undefined && DEFINING.test(rest);
}

function termsOf(line: string, following: string): string[] {
  if (!/[*_]/.test(line)) return isTermLine(line, following) ? [line.trim()] : [];
  const lead = LEAD.exec(line)?.[0].length ?? 0;
  const starts = [lead, ...[...line.matchAll(SENTENCE)].map(({ index, 0: end }) => index + end.length)];
  return starts.flatMap((start) => termAt(line.slice(start, start + 100)));
}

function termAt(text: string): string[] {
  const found = TERM.exec(text);
  if (!found) return [];
  const inner = (found[2] ?? '').trim();
  const term = inner.replace(/[:.–—]+$/, '').trim();
  const rest = text.slice(found[0].length);
  const defining = inner.endsWith(':') ? '' : DEFINING.exec(rest)?.[0];
  // A label is followed by a value of one or two words; a definition is longer.
  const hasDefinition =
    defining !== undefined && /^\s*\S+\s+\S+\s+\S/.test(rest.slice(defining.length, defining.length + 60));
  return hasDefinition && isTerm(term) ? [term] : [];
}

/** True for a definition list: the term on one line, `: ` and its meaning on the next. */
function isTermLine(line: string, following: string): boolean {
  return (
    /^:[ \t]+\S/.test(following) && line.length <= 60 && !line.includes(SPAN_MARK) && isTerm(line.trim())
  );
}

/** True for up to five words that don't start with a remark such as "Note". */
function isTerm(term: string): boolean {
  const words = term.split(/\s+/);
  if (words.length > 5 || term.length < 3 || term.includes(SPAN_MARK)) return false;
  return (
    /^[\p{L}\p{N}.#@$/-]/u.test(term) &&
    /\p{L}{2}/u.test(term) &&
    !REMARKS.has((words[0] ?? '').toLowerCase())
  );
}
