import { type Layout, recordAround } from './layout.js';

/** A block up to this length is quoted with a sentence above it that has no colon, if tokens remain. */
const SHORT_BLOCK_CHARS = 150;
/** Lists and tables are quoted with their lead-in up to this length. */
const MAX_ANNOUNCED_CHARS = 400;
/** The same for blocks of code, which say little if they are cut. */
const MAX_BLOCK_CHARS = 1_000;

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

/** The ends of the parts that are short enough to be quoted with their lead-in. */
export function quotableEnds(layout: Layout, leadIn: number): number[] {
  const isCode = layout.kind(leadIn + 1) === 'code';
  return announcedEnds(layout, leadIn).filter((end, i, { length }) => {
    const isWholeBlock = isCode && i === length - 1;
    if (recordAround(layout, end).to !== end) return false;
    return layout.chars(leadIn + 1, end) <= (isWholeBlock ? MAX_BLOCK_CHARS : MAX_ANNOUNCED_CHARS);
  });
}
