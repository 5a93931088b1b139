import { isMarkupLine } from '../../text/quotable/markup-line.js';
import type { Span } from '../../text/span.js';
import type { UnitRange } from '../../text/units.js';
import type { SplitUnit } from './split-units.js';

/** The mark of a list item, at the end of the text before its first sentence. */
const MARK_BEFORE = /(?:^|\n)(?:[ \t]*>)*([ \t]*)((?:[-*+•]|\d{1,9}[.)])[ \t]+)$/;
/** Few texts between units have one of these. */
const MARKS = /[-*+•\d]/;
export const BLANK_LINE = /\n[ \t>]*\n/;
const FENCE = /`{3,}|~{3,}/;
/** A line of a fence or of lone tags. */
const FENCE_OR_TAG = /^(?:(?:`{3,}|~{3,}).*|<\/?[A-Za-z][^<>]{0,500}>)$/;
/** A line that stands for content of another file or an image. */
const CONTENT = /!\[|include|-8<-|<<<|^\{\*/i;
/** A sentence of up to this length above a block of code introduces it. */
const MAX_INTRODUCTION_CHARS = 160;
/** The line below the header of a table. */
const SEPARATOR = /^[ \t]*\n(?=[^\n]*[-=])[ \t>|:=-]+(?=\n|$)/;
/** A sentence that announces the list, code or table after it. */
const ANNOUNCES = /[:：][*_`"'”’)\]]{0,3}$/;

/** The mark of a list item. */
interface ItemMark {
  /** White space before the mark. */
  readonly indent: number;
  /** Length of the mark and of the space after it. */
  readonly chars: number;
}

/** A section, split into units. */
export interface UnitText {
  readonly text: string;
  readonly units: readonly SplitUnit[];
}

/** The rows of the tables that are written in HTML. */
function readHtmlRows(text: string): Span[] {
  return Array.from(text.matchAll(/<tr[\s>](?:(?!<tr[\s>])[^])*?<\/tr/gi), ({ index: start, 0: row }) => ({
    start,
    end: start + row.length,
  }));
}

/** Reads the layout of a section from the text between its units. */
export class Layout {
  private readonly gaps: string[] = [];
  private readonly marks: (ItemMark | null)[] = [];
  /** Answers that are asked for again and again, by position. */
  private readonly known = {
    paragraph: [] as boolean[],
    block: [] as boolean[],
    tight: [] as boolean[],
    record: [] as boolean[],
  };

  private readonly htmlRows: readonly Span[];

  constructor(private readonly section: UnitText) {
    this.htmlRows = readHtmlRows(section.text);
  }

  kind(at: number) {
    return this.section.units[at]?.kind;
  }

  text(at: number): string {
    const unit = this.section.units[at];
    return unit ? this.section.text.slice(unit.start, unit.end) : '';
  }

  /** The text between a unit and the one before it. */
  gapBefore(at: number): string {
    const { text, units } = this.section;
    return (this.gaps[at] ??= text.slice(units[at - 1]?.end ?? 0, units[at]?.start ?? 0));
  }

  /** The text between a unit and the one after it, or the end of the section. */
  gapAfter(at: number): string {
    const { text, units } = this.section;
    return text.slice(units[at]?.end, units[at + 1]?.start);
  }

  chars(from: number, to: number): number {
    const { units } = this.section;
    return (units[to]?.end ?? 0) - (units[from]?.start ?? 0);
  }

  /** The white space before a line of code. */
  indent(at: number): number {
    return /[ \t]*$/.exec(this.gapBefore(at))?.[0].length ?? 0;
  }

  /** The mark before a unit that begins a list item; null for all other units. */
  mark(at: number): ItemMark | null {
    const known = this.marks[at];
    return known === undefined ? (this.marks[at] = this.readMark(at)) : known;
  }

  private readMark(at: number): ItemMark | null {
    const gap = this.gapBefore(at);
    if (this.kind(at) !== 'sentence' || !MARKS.test(gap)) return null;
    const [, indent = '', mark] = MARK_BEFORE.exec(gap) ?? [];
    return mark === undefined ? null : { indent: indent.length, chars: mark.length };
  }

  /** True for a sentence that ends with a colon. */
  isLeadIn(at: number): boolean {
    return this.kind(at) === 'sentence' && ANNOUNCES.test(this.text(at).slice(-4));
  }

  /** True if only marks, such as tags and fences, are between a unit and the one before it, but no include or image. */
  isDirectlyBelow(at: number): boolean {
    return this.gapBefore(at)
      .split('\n')
      .map((line) => line.replace(/^[\s>]+/, '').trimEnd())
      .every(
        (line) =>
          !/\p{L}/u.test(line) || FENCE_OR_TAG.test(line) || (isMarkupLine(line) && !CONTENT.test(line)),
      );
  }

  /** True for a short sentence above a block of code. */
  introducesCode(at: number): boolean {
    const isAbove = this.kind(at) === 'sentence' && this.kind(at + 1) === 'code';
    return isAbove && this.chars(at, at) <= MAX_INTRODUCTION_CHARS;
  }

  isHeader(at: number): boolean {
    return this.section.units[at]?.isHeader === true;
  }

  /** The line that is quoted with the header of a table; '' after all other units. */
  separator(at: number): string {
    return this.isHeader(at) ? (SEPARATOR.exec(this.gapAfter(at))?.[0] ?? '') : '';
  }

  /** True if two neighbouring sentences are in one paragraph or item. */
  isSameParagraph(at: number): boolean {
    return (this.known.paragraph[at] ??=
      this.kind(at) === 'sentence' &&
      this.kind(at - 1) === 'sentence' &&
      !this.mark(at) &&
      !BLANK_LINE.test(this.gapBefore(at)));
  }

  /** True if two neighbouring lines of code are in one block, without a blank line if `isTight`. */
  isSameBlock(at: number, isTight: boolean): boolean {
    const areOne = (this.known.block[at] ??=
      this.kind(at) === 'code' && this.kind(at - 1) === 'code' && !FENCE.test(this.gapBefore(at)));
    return areOne && !(isTight && (this.known.tight[at] ??= BLANK_LINE.test(this.gapBefore(at))));
  }

  /** True if a unit belongs to the record that the unit above it is in. */
  isSameRecord(at: number): boolean {
    return (this.known.record[at] ??= continues(this, at));
  }

  /** True if two neighbouring sentences are in one row of a table that is written in HTML. */
  isSameHtmlRow(at: number): boolean {
    const [above, own] = [this.section.units[at - 1], this.section.units[at]];
    if (above?.kind !== 'sentence' || own === undefined) return false;
    return this.htmlRows.some(({ start, end }) => start < above.start && own.end < end);
  }

  /** The first unit of the paragraph or item that a sentence is in. */
  paragraphStart(at: number): number {
    let start = at;
    while (this.isSameParagraph(start)) start--;
    return start;
  }

  /** The last unit of the paragraph or item that a sentence is in. */
  paragraphEnd(at: number): number {
    let end = at;
    while (this.isSameParagraph(end + 1)) end++;
    return end;
  }
}

/** Longer records are quoted in parts. */
const MAX_RECORD_CHARS = 600;
const MAX_LABELLED_CHARS = 160;
/** A row of a table without its first cell goes on with the row above. */
const GOES_ON = /^\|[ \t]*\|/;
/** A row such as `| Default: | 5 |`. */
const LABELLED_ROW = /^\|[^|\n]{1,40}:[*_`]*[ \t]*\|/;
/** A header without words: the rows below it are about one thing. It is no unit, so it stands in the text between units. */
const EMPTY_HEADER = /^\|[ \t|]*\n/m;
/** Longer tables without words in their header are lists. */
const MAX_ROWS = 12;
/** A line such as `Default: 5`. */
const LABELLED = /^[*_`]*\p{Lu}[\p{L}\p{N} _-]{0,30}[*_`]*:[*_`]*[ \t]+\S/u;
/** The start of the definition of a field. */
const TERM = /^(?:\*\*|`)/;

function isLabelled(layout: Layout, at: number): boolean {
  const text = layout.text(at);
  return text.length <= MAX_LABELLED_CHARS && text.includes(':') && LABELLED.test(text);
}

function continuesRow(layout: Layout, at: number): boolean {
  if (layout.kind(at - 1) !== 'row' || layout.isHeader(at)) return false;
  const [above, row] = [layout.text(at - 1), layout.text(at)];
  if (GOES_ON.test(row)) return !layout.isHeader(at - 1);
  // The row after such rows begins the next record.
  if (GOES_ON.test(above)) return false;
  return (LABELLED_ROW.test(row) && LABELLED_ROW.test(above)) || hasEmptyHeader(layout, at);
}

function hasEmptyHeader(layout: Layout, at: number): boolean {
  const isFirst = (row: number): boolean => EMPTY_HEADER.test(layout.gapBefore(row));
  let row = at;
  while (at - row < MAX_ROWS && layout.kind(row) === 'row' && !layout.isHeader(row) && !isFirst(row)) row--;
  return row < at && layout.kind(row) === 'row' && isFirst(row);
}

/** True for a labelled line of the paragraph, item or definition above it. */
function continuesLines(layout: Layout, at: number): boolean {
  if (layout.kind(at - 1) !== 'sentence' || !isLabelled(layout, at) || !layout.isDirectlyBelow(at))
    return false;
  if (layout.isSameParagraph(at) || isLabelled(layout, at - 1)) return true;
  const start = layout.paragraphStart(at - 1);
  const [above, own] = [layout.mark(start), layout.mark(at)];
  if (above) return own !== null && own.indent > above.indent;
  return TERM.test(layout.text(start));
}

/** The row at the head of a group, for a row without its first cell; the row itself for all others. */
export function groupHead(layout: Layout, at: number): number {
  let head = at;
  while (layout.kind(head) === 'row' && GOES_ON.test(layout.text(head))) head--;
  return layout.kind(head) === 'row' ? head : at;
}

/** True if a unit belongs to the record that the unit above it is in. */
function continues(layout: Layout, at: number): boolean {
  if (layout.kind(at) === 'row') return continuesRow(layout, at);
  return layout.kind(at) === 'sentence' && (layout.isSameHtmlRow(at) || continuesLines(layout, at));
}

/**
 * The record that a unit is in: the rows or lines about one field, such as its type and default. Quotes do not end inside.
 * @returns the unit alone if it is in none, or in one that is too long
 */
export function recordAround(layout: Layout, at: number): UnitRange {
  let [from, to] = [at, at];
  while (layout.isSameRecord(from)) from--;
  while (layout.isSameRecord(to + 1)) to++;
  return layout.chars(from, to) <= MAX_RECORD_CHARS ? { from, to } : { from: at, to: at };
}
