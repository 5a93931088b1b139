import { isAdmonition } from '../../text/quotable/block-lead.js';
import { packUnits, type Unit } from '../../text/units.js';
import { Layout, recordAround } from './layout.js';
import { announcedEnds, closesOnly, neededUnits, quotableEnds } from './needed-units.js';
import { splitUnits } from './split-units.js';

/** The line of an admonition belongs to a quote if it is at most this far above it. */
const MAX_LEAD_CHARS = 120;
/** The line of a fence at the start of the text after a line of code. */
const CLOSING_FENCE = /^\s*\n[ \t>]*(?:`{3,}|~{3,})/;

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

/** The length of the fence of a block of code, or of the mark of a list item, before a unit. */
function markOf(layout: Layout, from: number): number {
  const before = layout.gapBefore(from);
  if (layout.kind(from) !== 'code') return layout.mark(from)?.chars ?? 0;
  const fence = openingFence(before);
  return fence === '' ? layout.indent(from) : fence.length;
}

/** The length of the text before a unit that a quote includes: its mark, and the line of an admonition above it. */
function leadOf(layout: Layout, from: number): number {
  const mark = markOf(layout, from);
  const before = layout.gapBefore(from);
  const markStart = before.length - mark;
  const above = before.slice(Math.max(0, markStart - MAX_LEAD_CHARS), markStart);
  if (above.trim() === '') return mark;
  const [, margin = '', lead = '', line = ''] = LINE_ABOVE.exec(above) ?? [];
  if (!isAdmonition(line.trim())) return mark;
  const [, textMargin = ''] = FIRST_MARGIN.exec(before.slice(markStart - lead.length + line.length)) ?? [];
  const isItsText = !INDENTS_ITS_TEXT.test(line) || IS_INDENTED.test(textMargin.slice(margin.length));
  return isItsText ? lead.length + mark : mark;
}

/** The length of the text after a unit that a quote includes: the line below a header, or the fence that ends a block. */
function tailOf(layout: Layout, at: number): number {
  if (layout.isHeader(at)) return layout.separator(at).length;
  return layout.kind(at) === 'code' ? (CLOSING_FENCE.exec(layout.gapAfter(at))?.[0].length ?? 0) : 0;
}

/** Splits the text of a section into units, and reads from the layout what a quote of each needs. */
export function readUnits(text: string): Unit[] {
  const units = splitUnits(text);
  const layout = new Layout({ text, units });
  let above: Unit | undefined;
  return units.map((unit, at) => {
    const record = recordAround(layout, at);
    const ends = announcedEnds(layout, at);
    const isInBlock = layout.isSameBlock(at, false);
    // Lines of code that need each other need the same.
    const known = isInBlock && above?.isCloser === false ? above.needs : [];
    above = {
      start: unit.start,
      end: unit.end,
      kind: unit.kind,
      isHeader: unit.isHeader,
      label: unit.label,
      lead: leadOf(layout, at),
      tail: tailOf(layout, at),
      needs: known.includes(at) ? known : neededUnits(layout, at, record),
      ends: quotableEnds(layout, at, ends),
      announcesTo: layout.isLeadIn(at) ? (at === units.length - 1 ? at : (ends.at(-1) ?? null)) : null,
      isFenced: unit.kind === 'code' && openingFence(layout.gapBefore(at)) !== '',
      isCloser: unit.kind === 'code' && closesOnly(layout.text(at)),
      isInBlock,
      isInRecord: record.from < at,
    };
    return above;
  });
}

/** The units of a section, as they are stored with it. */
export const readStructure = (text: string): string => packUnits(readUnits(text));
