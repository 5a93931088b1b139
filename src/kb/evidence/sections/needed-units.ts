import { type Layout, recordAround } from './layout.js';

/** Code blocks up to this size are quoted whole; of larger ones, the lines up to the next blank lines. */
const MAX_BLOCK_CHARS = 600;
/** The lead-in of a list item is at most this many units above it. */
const MAX_LIST_LOOK_BACK = 12;

const BLANK_LINE = /\n[ \t>]*\n/;
/** A term in bold on a line of its own, above its description. */
const BEGINS_WITH_TERM = /^\*\*[^\n]{1,300}\n/;
const CLOSERS_ONLY = /^[\])}>;,\s]+$/;

/** True for a line of code that only closes brackets, which says nothing at the start of a quote. */
export function closesOnly(line: string): boolean {
  return CLOSERS_ONLY.test(line);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** The block of code around a line, up to the next blank lines if `isTight`. */
export function blockAround(layout: Layout, at: number, isTight: boolean): { from: number; to: number } {
  let [from, to] = [at, at];
  while (layout.isSameBlock(from, isTight)) from--;
  while (layout.isSameBlock(to + 1, isTight)) to++;
  return { from, to };
}

/** The lines of code that belong to a line, with the sentence that introduces the block. */
function codeThought(layout: Layout, at: number): number[] {
  const block = blockAround(layout, at, false);
  let { from, to } = block;
  if (layout.chars(from, to) > MAX_BLOCK_CHARS) ({ from, to } = blockAround(layout, at, true));
  if (layout.chars(from, to) > MAX_BLOCK_CHARS) [from, to] = [at, at];
  while (from < at && closesOnly(layout.text(from))) from++;
  const above = block.from - 1;
  const isIntroduced = layout.isLeadIn(above) || layout.introducesCode(above);
  return [...(isIntroduced ? [above] : []), ...range(from, to)];
}

/** A table row with the header of its table. */
function rowThought(layout: Layout, at: number): number[] {
  let header = at;
  while (header > 0 && layout.kind(header) === 'row' && !layout.isHeader(header)) header--;
  return layout.isHeader(header) && header !== at ? [header, at] : [at];
}

/** The sentence above a list that ends with a colon, or the item above a list inside it; null if there is no such. */
function leadInOf(layout: Layout, first: number): number | null {
  const indent = layout.mark(first)?.indent ?? 0;
  for (let i = first - 1; i >= Math.max(0, first - MAX_LIST_LOOK_BACK); i--) {
    if (layout.kind(i) !== 'sentence') return null;
    const mark = layout.mark(layout.paragraphStart(i));
    if (layout.isLeadIn(i) && (!mark || mark.indent < indent)) return i;
    const isOfItem = mark !== null || !BLANK_LINE.test(layout.gapBefore(i));
    if (!isOfItem) return null;
  }
  return null;
}

/** A sentence of a list item with the lead-ins of the lists that it is in. */
function itemThought(layout: Layout, at: number): number[] {
  const leadIns: number[] = [];
  for (let above = leadInOf(layout, layout.paragraphStart(at)); above !== null;) {
    leadIns.unshift(above);
    const first = layout.paragraphStart(above);
    above = layout.mark(first) ? leadInOf(layout, first) : null;
  }
  return [...new Set([...leadIns, layout.paragraphStart(at), at])];
}

/** The units that a unit needs, apart from those of its record. */
function contextOf(layout: Layout, at: number): readonly number[] {
  const kind = layout.kind(at);
  if (kind === 'code') return codeThought(layout, at);
  if (kind === 'row') return rowThought(layout, at);
  const start = layout.paragraphStart(at);
  if (layout.mark(start)) return itemThought(layout, at);
  return at > start && BEGINS_WITH_TERM.test(layout.text(start)) ? [start, at] : [at];
}

/**
 * The units of a section that must be quoted with a unit so that it can be understood: a row with its header, a line
 * of code with its block and the sentence that introduces it, a list item with its lead-in, a sentence about a term with
 * the one below the term, a part of a record with the whole record.
 * @returns positions in rising order, that of the unit included
 */
export function thoughtAt(layout: Layout, at: number): readonly number[] {
  const { from, to } = recordAround(layout, at);
  if (from === to) return contextOf(layout, at);
  return [...new Set([...contextOf(layout, from), ...range(from, to)])].sort((a, b) => a - b);
}
