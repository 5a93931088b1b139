import {
  countHeaderRows,
  placeCells,
  type PlacedRow,
  readSpan,
} from '../../../ingest/reading/tables/place-cells.js';
import { attributeIn, childElements, type HtmlElement } from './html-tree.js';
import { visibleText } from './visible-text.js';

/** A table with every cell of its grid. A value that spans cells is repeated in each of them. */
export interface Grid {
  readonly columns: number;
  /** Mostly one; none for a table without a header row. */
  readonly header: readonly (readonly string[])[];
  readonly rows: readonly (readonly string[])[];
  /** True when the table has more cells than the limit; the rest is left out. */
  readonly isCut: boolean;
}

/** Further columns are left out. */
const MAX_COLUMNS = 1000;

interface Slot {
  readonly text: string;
  readonly isHeader: boolean;
}

/** Forms a table as section 4.9.12 of the HTML standard says. @param maxCells  of the whole grid */
export function formTable(table: HtmlElement, maxCells: number): Grid {
  let left = maxCells;
  let isCut = false;
  const mayPlace = (column: number): boolean => {
    const fits = column < MAX_COLUMNS && left > 0;
    if (fits) left--;
    isCut ||= !fits;
    return fits;
  };
  const groups = groupsOf(table).map(({ trs, isHead }) => ({
    rows: placeCells(trs.map(cellsOf), mayPlace).filter((row) => row.size > 0),
    isHead,
  }));
  const rows = groups.flatMap((group) => group.rows);
  let columns = 0;
  for (const row of rows) for (const x of row.keys()) columns = Math.max(columns, x + 1);
  const headers = countHeaderRows(
    groups.map((group) => ({ ...group, rows: group.rows.map((row) => ({ isHeader: isHeaderRow(row) })) })),
  );
  const kept = rows.slice(0, Math.floor(maxCells / Math.max(1, columns)));
  const filled = kept.map((row) => Array.from({ length: columns }, (_, x) => row.get(x)?.value.text ?? ''));
  return {
    columns,
    header: filled.slice(0, headers),
    rows: filled.slice(headers),
    isCut: isCut || kept.length < rows.length,
  };
}

const isHeaderRow = (row: PlacedRow<Slot>): boolean => [...row.values()].every(({ value }) => value.isHeader);

/** The rows by group; the feet come last, wherever they are written. */
function groupsOf(table: HtmlElement): { readonly trs: readonly HtmlElement[]; readonly isHead: boolean }[] {
  const groups = childElements(table, /^(?:thead|tbody|tr)$/);
  return [...groups, ...childElements(table, /^tfoot$/)].map((group) => ({
    trs: group.tagName === 'tr' ? [group] : childElements(group, /^tr$/),
    isHead: group.tagName === 'thead',
  }));
}

function cellsOf(tr: HtmlElement) {
  return childElements(tr, /^t[dh]$/).map((cell) => ({
    value: { text: visibleText(cell.childNodes), isHeader: cell.tagName === 'th' },
    columns: readSpan('colspan', attributeIn(cell, 'colspan')),
    rows: readSpan('rowspan', attributeIn(cell, 'rowspan')),
  }));
}
