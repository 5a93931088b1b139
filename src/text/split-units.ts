import { type Span, trimSpan } from './span.js';

/** The smallest part of a quote: a sentence, a table row or a line of code. */
export interface Unit extends Span {
  readonly kind: 'sentence' | 'row' | 'code';
  /** True for the first row of a table. */
  readonly isHeader: boolean;
}

const FENCE = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})[^`]*$/;
const RULE_ROW = /^(?=[^|]*\|)[\s|:=-]+$/;
const HEADING = /^#{1,6}\s/;
// Rules, tags and comments alone on a line, and marks of admonitions and container directives are never quoted.
const UNQUOTABLE =
  /^(?:[-*_=][ \t]*){3,}$|^<[^<>]{1,500}>$|^<!--.*-->$|^:::|^\[![A-Za-z]+\]$|^@@\w+|^(?:!!!|\?\?\?\+?)[ \t]+\w+/;
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;
const QUOTE_MARK = /^[ \t]*(?:>[ \t]*)+/;
// A full stop may precede closing quotes, brackets or emphasis.
const SENTENCE_END = /[.?!]["'”’)\]*_`]{0,4}(?=\s)/g;
const SENTENCE_START = /^\s+[\p{Lu}\p{Lo}\p{N}`"'“‘([*_<]/u;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|No|Fig|Mr|Ms|Dr)|\b\p{Lu})\.$/u;
/** Full stops of scripts that need no space after them. */
const UNSPACED_END = /[。！？]/g;
/** Characters to read for an abbreviation. */
const LOOK_BACK = 12;

function endsSentence(text: string, to: number): boolean {
  const before = text.slice(Math.max(0, to - LOOK_BACK), to).replace(/["'”’)\]*_`]+$/, '');
  return SENTENCE_START.test(text.slice(to, to + 4)) && !ABBREVIATION.test(before);
}

/** Returns a test for positions inside inline code, where a full stop does not end a sentence. */
function inlineCodeTest(paragraph: string): (at: number) => boolean {
  const code = [...paragraph.matchAll(/(`+)(?!`)[^`]+?\1(?!`)/g)].map(({ index, 0: span }) => ({
    start: index,
    end: index + span.length,
  }));
  return (at) => code.some(({ start, end }) => at > start && at < end);
}

/** The end offsets of the sentences in a paragraph. */
function sentenceEnds(paragraph: string): number[] {
  const inCode = inlineCodeTest(paragraph);
  const marks = [...paragraph.matchAll(SENTENCE_END), ...paragraph.matchAll(/:(?=[ \t]*\n)/g)];
  const full = marks
    .map(({ index, 0: mark }) => index + mark.length)
    .filter((to) => endsSentence(paragraph, to) && !inCode(to));
  const unspaced = [...paragraph.matchAll(UNSPACED_END)].map(({ index }) => index + 1);
  return [...new Set([...full, ...unspaced])].sort((a, b) => a - b);
}

/** The kind of a line outside fences. */
type LineKind = 'blank' | 'row' | 'unquotable' | 'text';

function kindOf(text: string, next: string, inTable: boolean): LineKind {
  if (text === '') return 'blank';
  if (RULE_ROW.test(text)) return 'unquotable';
  if (text.startsWith('|') || (text.includes('|') && (inTable || RULE_ROW.test(next)))) return 'row';
  return HEADING.test(text) || UNQUOTABLE.test(text) ? 'unquotable' : 'text';
}

/** Collects units line by line; a paragraph is collected when it ends. */
class UnitCollector {
  readonly units: Unit[] = [];
  private paragraph: Span | null = null;
  inTable = false;

  constructor(private readonly text: string) {}

  add(kind: Unit['kind'], whole: Span, isHeader = false): void {
    const span = trimSpan(this.text, whole);
    if (span) this.units.push({ ...span, kind, isHeader });
  }

  addRow(row: Span): void {
    this.endParagraph();
    this.add('row', row, !this.inTable);
    this.inTable = true;
  }

  addText(line: string, start: number): void {
    const bullet = BULLET.exec(line);
    if (bullet) this.endParagraph();
    this.paragraph = {
      start: this.paragraph?.start ?? start + (bullet?.[0].length ?? 0),
      end: start + line.length,
    };
  }

  endParagraph(): void {
    if (!this.paragraph) return;
    const { start, end } = this.paragraph;
    this.paragraph = null;
    let from = start;
    for (const to of sentenceEnds(this.text.slice(start, end))) {
      this.add('sentence', { start: from, end: start + to });
      from = start + to;
    }
    this.add('sentence', { start: from, end });
  }
}

/**
 * Splits Markdown into units: the lines of fences, the rows of tables, and sentences elsewhere. A sentence ends at the
 * end of a paragraph, at a bullet, or at `.`, `?`, `!` before white space and a capital, digit or opening mark, but
 * not after an abbreviation. Headings, rules, tags and marks of admonitions are left out.
 * @returns in order, without overlaps, none empty
 */
export function splitUnits(text: string): Unit[] {
  const collector = new UnitCollector(text);
  const lines = text.split('\n').map(readLine);
  let fence: { marks: string; isQuoted: boolean } | null = null;
  let at = 0;
  for (const [i, { whole, inner }] of lines.entries()) {
    const end = at + whole.length;
    const start = end - inner.length;
    at = end + 1;
    const bare = inner.trim();
    if (fence) {
      const code = fence.isQuoted ? bare : whole.trim();
      if (code.startsWith(fence.marks) && /^(?:`+|~+)$/.test(code)) fence = null;
      else collector.add('code', { start: fence.isQuoted ? start : end - whole.length, end });
      continue;
    }
    const marks = FENCE.exec(bare)?.[1];
    if (marks) fence = { marks, isQuoted: inner !== whole };
    const kind = marks ? 'unquotable' : kindOf(bare, lines[i + 1]?.inner.trim() ?? '', collector.inTable);
    if (kind === 'row') {
      collector.addRow({ start, end });
      continue;
    }
    if (marks || !RULE_ROW.test(bare)) collector.inTable = false;
    if (kind === 'text') collector.addText(inner, start);
    else collector.endParagraph();
  }
  collector.endParagraph();
  return collector.units;
}

/** Returns a line with and without its quotation marks (`>`). */
function readLine(whole: string): { readonly whole: string; readonly inner: string } {
  return { whole, inner: whole.slice(QUOTE_MARK.exec(whole)?.[0].length ?? 0) };
}
