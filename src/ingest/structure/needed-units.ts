import type { UnitRange } from '../../text/units.js';
import { BLANK_LINE, groupHead, type Layout, recordAround } from './layout.js';

/** A block up to this length is quoted with a sentence above it that has no colon, if tokens remain. */
const SHORT_BLOCK_CHARS = 150;
/** Lists and tables are quoted with their lead-in up to this length. */
const MAX_ANNOUNCED_CHARS = 400;
/** The same for blocks of code, which say little if they are cut. */
const MAX_INTRODUCED_CHARS = 1_000;

/** The last units of the parts of a list: its items. Lists inside an item are parts of their own. */
function listEnds(layout: Layout, from: number): number[] {
  const indent = layout.mark(from)?.indent ?? 0;
  const ends: number[] = [];
  for (let at = from; (layout.mark(at)?.indent ?? -1) >= indent;) {
    const end = layout.paragraphEnd(at);
    ends.push(end);
    at = end + 1;
  }
  return ends;
}

/** Lines of code that say nothing without the lines below them: imports, comments, decorators, gaps. */
const LEADS_ON =
  /^(?:(?:import|using|use|package|require|include)\b|from\b.*\bimport\b|@|\/\/|#(?:[ !]|$|include)|\/?\*(?:[ *]|$)|\.\.\.|…)/;
/** The start of a line that belongs to the statement above it. */
const CONTINUES =
  /^(?:[\])}]|<\/|-\s|(?:else|elif|elsif|except|finally|catch|rescue|end|fi|done|esac|then|do)\b)/;
/** The end of a line whose statement goes on. */
const IS_OPEN = /[:,{([\\|&=]$/;

/** True if a line of code can end a quote of a block: its statement ends, and the next one is at the margin. */
function endsStatement(layout: Layout, from: number, at: number): boolean {
  const isAtMargin = layout.indent(at + 1) <= layout.indent(from);
  return isAtMargin && !IS_OPEN.test(layout.text(at)) && !CONTINUES.test(layout.text(at + 1));
}

/** The last units of the parts of a block of code: its statements at the margin, and the whole block. */
function codeEnds(layout: Layout, from: number): number[] {
  const ends: number[] = [];
  let says = false;
  for (let at = from; ; at++) {
    if (!layout.isSameBlock(at + 1, false)) return [...ends, at];
    const leadsOn = LEADS_ON.test(layout.text(at));
    says ||= !leadsOn;
    if (says && !leadsOn && endsStatement(layout, from, at)) ends.push(at);
  }
}

/** The last units of the parts of a table: its rows, the first with the header. */
function rowEnds(layout: Layout, from: number): number[] {
  const ends: number[] = [];
  for (let at = layout.isHeader(from) ? from + 1 : from; layout.kind(at) === 'row'; at++) {
    if (layout.isHeader(at)) break;
    ends.push(at);
  }
  return ends;
}

function partEnds(layout: Layout, from: number): number[] {
  if (layout.kind(from) === 'code') return codeEnds(layout, from);
  if (layout.kind(from) === 'row') return rowEnds(layout, from);
  if (layout.mark(from)) return listEnds(layout, from);
  return layout.kind(from) === 'sentence' ? [from] : [];
}

/**
 * Finds what a sentence announces with a colon: list items, code, table rows, or the next sentence. A sentence without a
 * colon announces a short block of code below it.
 * @returns the position of the last unit of each part, in rising order; [] if it announces nothing that can be quoted
 */
export function announcedEnds(layout: Layout, leadIn: number): number[] {
  const from = leadIn + 1;
  const isLeadIn = layout.isLeadIn(leadIn);
  if (!(isLeadIn || layout.introducesCode(leadIn)) || !layout.isDirectlyBelow(from)) return [];
  const ends = partEnds(layout, from);
  return isLeadIn ? ends : ends.slice(-1).filter((end) => layout.chars(from, end) <= SHORT_BLOCK_CHARS);
}

/** The ends of the parts that are short enough to be quoted with their lead-in. @param ends  what it announces */
export function quotableEnds(layout: Layout, leadIn: number, ends: readonly number[]): number[] {
  const isCode = layout.kind(leadIn + 1) === 'code';
  const quotable = ends.filter((end, i, { length }) => {
    const isWholeBlock = isCode && i === length - 1;
    const most = isWholeBlock ? MAX_INTRODUCED_CHARS : MAX_ANNOUNCED_CHARS;
    return layout.chars(leadIn + 1, end) <= most && recordAround(layout, end).to === end;
  });
  return [...quotable.slice(0, MAX_ENDS), ...quotable.slice(MAX_ENDS).slice(-1)];
}

/** Code blocks up to this size are quoted whole; of larger ones, the lines up to the next blank lines. */
const MAX_BLOCK_CHARS = 600;
/** Of longer parts, the statement around a line is quoted up to this length. */
const MAX_STATEMENT_CHARS = 300;
/** Of lists in lists, the innermost lead-ins. */
const MAX_LEAD_INS = 8;
/** Where a quote of a list, a table or a block may end: the first places, and its end. */
const MAX_ENDS = 24;
/** The lead-in of a list item is at most this many units above it. */
const MAX_LIST_LOOK_BACK = 12;

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
function blockAround(layout: Layout, at: number, isTight: boolean): UnitRange {
  let [from, to] = [at, at];
  while (layout.isSameBlock(from, isTight)) from--;
  while (layout.isSameBlock(to + 1, isTight)) to++;
  return { from, to };
}

/** True if the statement, comment or block of a line of code goes on in the next line. */
function goesOn(layout: Layout, at: number): boolean {
  if (!layout.isSameBlock(at + 1, true)) return false;
  const isDeeper = layout.indent(at + 1) > layout.indent(at);
  return (
    isDeeper ||
    LEADS_ON.test(layout.text(at)) ||
    IS_OPEN.test(layout.text(at)) ||
    CONTINUES.test(layout.text(at + 1))
  );
}

/** The lines of the statement that a line of code is in, as many as fit into a quote. */
function statementAround(layout: Layout, at: number): UnitRange {
  let [from, to] = [at, at];
  while (goesOn(layout, to) && layout.chars(from, to + 1) <= MAX_STATEMENT_CHARS) to++;
  while (goesOn(layout, from - 1) && layout.chars(from - 1, to) <= MAX_STATEMENT_CHARS) from--;
  return { from, to };
}

/** The lines of code that belong to a line, with the sentence that introduces the block. */
function unitsNeededByCode(layout: Layout, at: number): number[] {
  const block = blockAround(layout, at, false);
  let { from, to } = block;
  if (layout.chars(from, to) > MAX_BLOCK_CHARS) ({ from, to } = blockAround(layout, at, true));
  if (layout.chars(from, to) > MAX_BLOCK_CHARS) ({ from, to } = statementAround(layout, at));
  while (from < at && closesOnly(layout.text(from))) from++;
  const above = block.from - 1;
  const isIntroduced = layout.isLeadIn(above) || layout.introducesCode(above);
  return [...(isIntroduced ? [above] : []), ...range(from, to)];
}

/** A table row with the header of its table and the head of its group. */
function unitsNeededByRow(layout: Layout, at: number): number[] {
  let header = at;
  while (header > 0 && layout.kind(header) === 'row' && !layout.isHeader(header)) header--;
  const headers = layout.isHeader(header) ? [header] : [];
  return [...new Set([...headers, groupHead(layout, at), at])];
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
function unitsNeededByItem(layout: Layout, at: number): number[] {
  const leadIns: number[] = [];
  for (
    let above = leadInOf(layout, layout.paragraphStart(at));
    above !== null && leadIns.length < MAX_LEAD_INS;
  ) {
    leadIns.unshift(above);
    const first = layout.paragraphStart(above);
    above = layout.mark(first) ? leadInOf(layout, first) : null;
  }
  return [...new Set([...leadIns, layout.paragraphStart(at), at])];
}

/** The units that a unit needs, apart from those of its record. */
function contextOf(layout: Layout, at: number): readonly number[] {
  const kind = layout.kind(at);
  if (kind === 'code') return unitsNeededByCode(layout, at);
  if (kind === 'row') return unitsNeededByRow(layout, at);
  const start = layout.paragraphStart(at);
  if (layout.mark(start)) return unitsNeededByItem(layout, at);
  return at > start && BEGINS_WITH_TERM.test(layout.text(start)) ? [start, at] : [at];
}

/**
 * The units of a section that must be quoted with a unit so that it can be understood: a row with its header, a line
 * of code with its block and the sentence that introduces it, a list item with its lead-in, a sentence about a term with
 * the one below the term, a part of a record with the whole record.
 * @returns positions in rising order, that of the unit included
 */
export function neededUnits(
  layout: Layout,
  at: number,
  { from, to } = recordAround(layout, at),
): readonly number[] {
  if (from === to) return contextOf(layout, at);
  return [...new Set([...contextOf(layout, from), ...range(from, to)])].sort((a, b) => a - b);
}
