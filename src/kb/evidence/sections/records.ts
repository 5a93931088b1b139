import type { Layout } from './layout.js';
import type { UnitRun } from './read-section.js';

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
  return text.length <= MAX_LABELLED_CHARS && LABELLED.test(text);
}

function continuesRow(layout: Layout, at: number): boolean {
  if (layout.kind(at - 1) !== 'row' || layout.isHeader(at)) return false;
  const [above, row] = [layout.text(at - 1), layout.text(at)];
  return (
    (GOES_ON.test(row) && !layout.isHeader(at - 1)) ||
    (LABELLED_ROW.test(row) && LABELLED_ROW.test(above)) ||
    hasEmptyHeader(layout, at)
  );
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

/** True if a unit belongs to the record that the unit above it is in. */
function continues(layout: Layout, at: number): boolean {
  if (layout.kind(at) === 'row') return continuesRow(layout, at);
  return layout.kind(at) === 'sentence' && continuesLines(layout, at);
}

/**
 * The record that a unit is in: the rows or lines about one field, such as its type and default. Quotes do not end inside.
 * @returns the unit alone if it is in none, or in one that is too long
 */
export function recordAround(layout: Layout, at: number): UnitRun {
  let [from, to] = [at, at];
  while (continues(layout, from)) from--;
  while (continues(layout, to + 1)) to++;
  return layout.chars(from, to) <= MAX_RECORD_CHARS ? { from, to } : { from: at, to: at };
}
