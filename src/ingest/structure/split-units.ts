import {
  isClosingLine,
  isIncludeLine,
  isMarkupLine,
  isSplitDefinition,
} from '../../text/quotable/markup-line.js';
import { type Span, trimSpan } from '../../text/span.js';
import type { Unit } from '../../text/units.js';
import { introducesFacts, isLinkOnly, isLinkRow, OpenLabels, quotablePart } from './quotable-part.js';

/** A unit before the layout around it is read. */
export type SplitUnit = Pick<Unit, 'start' | 'end' | 'kind' | 'isHeader' | 'label'>;

const FENCE = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})[^`]*$/;
const RULE_ROW = /^[\s|:=-]+$/;
/** A header without words: the row below it is no header. */
const EMPTY_ROW = /^\|[\s|]*$/;
const HEADING = /^#{1,6}\s/;
const TAG_ALONE = /^<\/?(?:[A-Za-z][\w.-]*(?:[\s/][^<>]{0,500})?)?>$/;
/** The end of a comment of MDX, which may span lines. */
const COMMENT_END = '*/}';
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

/** Inline code, and the text of a link that begins with it or with the number of a section. */
const UNBROKEN =
  /\[\d{1,4}(?:\.\d{1,4}){0,6}\. [^[\]\n]{0,300}\]\([^()\s]{0,500}\)|\[(?:`[^`\n]{1,200}`[^[\]`\n]{0,200}){1,5}\]\([^()\s]{0,500}\)|(`+)(?!`)[^`]+?\1(?!`)/g;

/** Returns a test for positions inside inline code or a link, where a full stop does not end a sentence. */
function unbrokenTest(paragraph: string): (at: number) => boolean {
  const code = [...paragraph.matchAll(UNBROKEN)].map(({ index, 0: span }) => ({
    start: index,
    end: index + span.length,
  }));
  return (at) => code.some(({ start, end }) => at > start && at < end);
}

/** The end offsets of the sentences in a paragraph. */
function sentenceEnds(paragraph: string): number[] {
  const isUnbroken = /[`[]/.test(paragraph) ? unbrokenTest(paragraph) : () => false;
  const marks = [...paragraph.matchAll(SENTENCE_END), ...paragraph.matchAll(/:(?=[ \t]*\n)/g)];
  const full = marks
    .map(({ index, 0: mark }) => index + mark.length)
    .filter((to) => endsSentence(paragraph, to) && !isUnbroken(to));
  const unspaced = [...paragraph.matchAll(UNSPACED_END)].map(({ index }) => index + 1);
  return [...new Set([...full, ...unspaced])].sort((a, b) => a - b);
}

/** The kind of a line outside fences. */
type LineKind = 'blank' | 'row' | 'unquotable' | 'text';

function isRuleRow(line: string): boolean {
  return RULE_ROW.test(line) && line.includes('|');
}

/** The trimmed lines before and after a line. */
interface Neighbours {
  readonly last: string;
  readonly next: string;
}

function kindOf(text: string, { last, next }: Neighbours, inTable: boolean): LineKind {
  if (text === '') return 'blank';
  if (isSplitDefinition(text, next) || isSplitDefinition(last, text)) return 'unquotable';
  if (isRuleRow(text)) return 'unquotable';
  if (text.startsWith('|')) return 'row';
  if (HEADING.test(text) || TAG_ALONE.test(text) || isMarkupLine(text)) return 'unquotable';
  return text.includes('|') && (inTable || isRuleRow(next)) ? 'row' : 'text';
}

/** An open fence. */
interface Fence {
  readonly marks: string;
  readonly isQuoted: boolean;
  readonly start: number;
}

/** Lines of one paragraph or list item. */
interface Paragraph extends Span {
  readonly isItem: boolean;
}

/** Collects units line by line; a paragraph is collected when it ends. */
class UnitCollector {
  readonly units: (SplitUnit & { end: number })[] = [];
  private paragraph: Paragraph | null = null;
  /** True while the list items below a sentence such as `Supported systems:` are read. */
  private isListOfFacts = false;
  inTable = false;
  readonly labels: OpenLabels;

  constructor(private readonly text: string) {
    this.labels = new OpenLabels(text);
  }

  /** Adds a line of code. A closing bracket joins the line before it, so that no quote starts with one. */
  addCode(line: Span, fenceStart: number): void {
    const span = trimSpan(this.text, line);
    if (!span) return;
    const code = this.text.slice(span.start, span.end);
    if (isIncludeLine(code)) return;
    const last = this.units.at(-1);
    if (!isClosingLine(code)) this.push(span, 'code');
    else if (last && last.start > fenceStart) last.end = span.end;
  }

  addRow(row: Span): void {
    this.endParagraph();
    const isHeader = !this.inTable;
    if (isHeader || !isLinkRow(this.text.slice(row.start, row.end))) this.addWholeRow(row, isHeader);
    this.inTable = true;
  }

  addText(line: string, start: number): void {
    const bullet = BULLET.exec(line);
    if (bullet) this.endParagraph();
    this.paragraph = {
      start: this.paragraph?.start ?? start + (bullet?.[0].length ?? 0),
      end: start + line.length,
      isItem: this.paragraph?.isItem ?? bullet !== null,
    };
  }

  endParagraph(): void {
    if (!this.paragraph) return;
    const { start, end, isItem } = this.paragraph;
    this.paragraph = null;
    const isFact = isItem && this.isListOfFacts;
    let from = start;
    for (const to of [...sentenceEnds(this.text.slice(start, end)), end - start]) {
      this.addSentence({ start: from, end: start + to }, isFact);
      from = start + to;
    }
    if (!isItem) this.isListOfFacts = introducesFacts(this.text.slice(start, end).trimEnd());
  }

  /** A heading ends the list that a sentence introduces. */
  endList(): void {
    this.isListOfFacts = false;
  }

  private addSentence(sentence: Span, isFact: boolean): void {
    const span = quotablePart(this.text, sentence);
    if (!span || (!isFact && isLinkOnly(this.text.slice(span.start, span.end)))) return;
    this.push(span, 'sentence');
  }

  private addWholeRow(row: Span, isHeader: boolean): void {
    const span = quotablePart(this.text, row);
    if (span) this.push(span, 'row', isHeader);
  }

  private push({ start, end }: Span, kind: Unit['kind'], isHeader = false): void {
    this.units.push({ start, end, kind, isHeader, label: this.labels.titles });
  }
}

/**
 * Splits Markdown into units: the lines of fences, the rows of tables, and sentences elsewhere. A sentence ends at the
 * end of a paragraph, at a bullet, or at `.`, `?`, `!` before white space and a capital, digit or opening mark, but
 * not after an abbreviation. Headings, syntax without text and links without a sentence are left out.
 * @returns in order, without overlaps, none empty
 */
export function splitUnits(text: string): SplitUnit[] {
  const collector = new UnitCollector(text);
  const lines = text.split('\n').map(readLine);
  const lastCommentEnd = text.lastIndexOf(COMMENT_END);
  let fence: Fence | null = null;
  let inComment = false;
  let at = 0;
  for (const [i, { whole, inner }] of lines.entries()) {
    const end = at + whole.length;
    const start = end - inner.length;
    at = end + 1;
    const bare = inner.trim();
    if (fence) {
      const code = fence.isQuoted ? bare : whole.trim();
      if (code.startsWith(fence.marks) && /^(?:`+|~+)$/.test(code)) fence = null;
      else collector.addCode({ start: fence.isQuoted ? start : end - whole.length, end }, fence.start);
      continue;
    }
    inComment ||= bare.startsWith('{/*') && lastCommentEnd > start;
    const marks = inComment ? undefined : FENCE.exec(bare)?.[1];
    if (marks) fence = { marks, isQuoted: inner !== whole, start };
    const isSkipped = inComment || marks !== undefined;
    const near = { last: lines[i - 1]?.inner.trim() ?? '', next: lines[i + 1]?.inner.trim() ?? '' };
    const kind = isSkipped ? 'unquotable' : kindOf(bare, near, collector.inTable);
    if (bare.includes(COMMENT_END)) inComment = false;
    if (kind !== 'text') collector.endParagraph();
    collector.labels.read(inner);
    if (kind === 'row') {
      collector.addRow({ start, end });
      continue;
    }
    if (EMPTY_ROW.test(bare)) collector.inTable = true;
    else if (marks || !isRuleRow(bare)) collector.inTable = false;
    if (kind === 'text') collector.addText(inner, start);
    if (HEADING.test(bare)) collector.endList();
  }
  collector.endParagraph();
  return collector.units;
}

/** Returns a line with and without its quotation marks (`>`). */
function readLine(whole: string): { readonly whole: string; readonly inner: string } {
  return { whole, inner: whole.slice(QUOTE_MARK.exec(whole)?.[0].length ?? 0) };
}
