import { isAdmonition } from '../../../text/quotable/block-lead.js';
import type { Span } from '../../../text/span.js';
import { Layout } from './layout.js';
import { closesOnly } from './needed-units.js';
import type { ReadSection, UnitRun } from './read-section.js';

/** Units that are further apart than this are not quoted together: a comment or a picture is between them. */
export const MAX_GAP_CHARS = 120;
/** The line of a fence at the start of the text after a line of code. */
const CLOSING_FENCE = /^\s*\n[ \t>]*(?:`{3,}|~{3,})/;

/** A stretch of whole units. */
type Window = UnitRun & Span;

/** Runs of chosen units that are close together. */
function runsOf(layout: Layout, isTaken: readonly boolean[]): UnitRun[] {
  const runs: { from: number; to: number }[] = [];
  for (const at of isTaken.keys()) {
    if (!isTaken[at]) continue;
    const run = runs.at(-1);
    const gap = layout.gapBefore(at).length - layout.separator(at - 1).length;
    if (run?.to === at - 1 && gap <= MAX_GAP_CHARS) run.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs;
}

/** The line above the text of a unit: its margin, and the rest with what is between them. */
const LINE_ABOVE = /(?:^|\n)([ \t]*)((?:>[ \t]*)*([^\s>][^\n]{0,200})\n[\s>]*)$/;
/** The margin of the first line with text. */
const FIRST_MARGIN = /^(?:[ \t>]*\n)*([ \t]*)/;
/** Marks of MkDocs, whose text is indented. */
const INDENTS_ITS_TEXT = /^(?:!!!|\?\?\?)/;
const IS_INDENTED = /^(?: {4}|\t)/;

/** The line of a fence at the end of the text before a line of code, up to that line; '' if it is not the first line. */
function openingFence(before: string): string {
  let end = before.length;
  while (end > 0 && /[\s>]/.test(before.charAt(end - 1))) end--;
  const start = before.lastIndexOf('\n', end - 1) + 1;
  const isFence = /`{3}|~{3}/.test(before.slice(start, end)) && before.slice(end).includes('\n');
  return isFence ? before.slice(start) : '';
}

/** The length of the fence of a block of code, or of the mark of a list item, before the first unit of a run. */
function markOf(layout: Layout, from: number): number {
  const before = layout.gapBefore(from);
  if (layout.kind(from) !== 'code') return layout.mark(from)?.chars ?? 0;
  const fence = openingFence(before);
  return fence === '' ? layout.indent(from) : fence.length;
}

/** The length of the text before the first unit that a run includes: its mark, and the line of an admonition above it. */
function leadOf(layout: Layout, from: number): number {
  const mark = markOf(layout, from);
  const before = layout.gapBefore(from);
  const markStart = before.length - mark;
  const above = before.slice(Math.max(0, markStart - MAX_GAP_CHARS), markStart);
  const [, margin = '', lead = '', line = ''] = LINE_ABOVE.exec(above) ?? [];
  if (!isAdmonition(line.trim())) return mark;
  const [, textMargin = ''] = FIRST_MARGIN.exec(before.slice(markStart - lead.length + line.length)) ?? [];
  const isItsText = !INDENTS_ITS_TEXT.test(line) || IS_INDENTED.test(textMargin.slice(margin.length));
  return isItsText ? lead.length + mark : mark;
}

/** The length of the text after the last unit that a run includes: the fence of a block, or the line below a table's header. */
function tailOf(section: ReadSection, layout: Layout, { from, to }: UnitRun): number {
  if (layout.isHeader(to)) return layout.separator(to).length;
  const after = section.text.slice(section.units[to]?.end, section.units[to + 1]?.start);
  const hasOpening = layout.kind(to) === 'code' && hasOpeningFence(layout, { from, to });
  return hasOpening ? (CLOSING_FENCE.exec(after)?.[0].length ?? 0) : 0;
}

/** The slice of a run of units, with the mark of a list item and the fences of a block. */
export function runSpan(section: ReadSection, layout: Layout, run: UnitRun): Span {
  const [first, last] = [section.units[run.from], section.units[run.to]];
  return {
    start: (first?.start ?? 0) - leadOf(layout, run.from),
    end: (last?.end ?? 0) + tailOf(section, layout, run),
  };
}

/** True if a run contains the first line of the block of code that it ends with. */
function hasOpeningFence(layout: Layout, { from, to }: UnitRun): boolean {
  for (let at = to; at >= from; at--) if (openingFence(layout.gapBefore(at)) !== '') return true;
  return false;
}

/**
 * The slices to quote of a section: runs of chosen units. A run never begins with lines that only close brackets. A
 * run with the first line of a block of code includes the line of its fence, and with all of the block both. A list
 * item comes with its mark, the header of a table with the line below it.
 * @param isTaken  for each unit, true if it is chosen
 * @returns in the order of the text
 */
export function quoteWindows(section: ReadSection, isTaken: readonly boolean[]): Window[] {
  const layout = new Layout(section);
  const closes = (at: number): boolean => layout.kind(at) === 'code' && closesOnly(layout.text(at));
  return runsOf(layout, isTaken).flatMap(({ from, to }) => {
    let first = from;
    while (first <= to && closes(first)) first++;
    const run = { from: first, to };
    return first > to ? [] : [{ ...run, ...runSpan(section, layout, run) }];
  });
}
