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

/** Limits of the HTML standard. */
const MAX_COLSPAN = 1000;
const MAX_ROWSPAN = 65_534;
/** Further columns are left out. */
const MAX_COLUMNS = 1000;

interface Budget {
  /** Cells that may still be made. */
  cells: number;
  isCut: boolean;
}

interface Slot {
  readonly text: string;
  readonly isHeader: boolean;
}

/** A cell that continues in the rows below. */
interface Growing {
  readonly slot: Slot;
  /** Rows that it still covers; Infinity to the end of its group. */
  readonly left: number;
}

/** A row of slots by column; columns without a cell are missing. */
type Row = Map<number, Slot>;

interface Group {
  readonly rows: readonly Row[];
  readonly isHead: boolean;
}

/** Forms a table as section 4.9.12 of the HTML standard says. @param maxCells  of the whole grid */
export function formTable(table: HtmlElement, maxCells: number): Grid {
  const budget: Budget = { cells: maxCells, isCut: false };
  const groups = groupsOf(table).map(({ trs, isHead }) => ({
    rows: formRows(trs, budget).filter((row) => row.size > 0),
    isHead,
  }));
  const rows = groups.flatMap((group) => group.rows);
  let columns = 0;
  for (const row of rows) for (const x of row.keys()) columns = Math.max(columns, x + 1);
  const headers = headerRows(groups);
  const kept = rows.slice(0, Math.floor(maxCells / Math.max(1, columns)));
  const filled = kept.map((row) => Array.from({ length: columns }, (_, x) => row.get(x)?.text ?? ''));
  return {
    columns,
    header: filled.slice(0, headers),
    rows: filled.slice(headers),
    isCut: budget.isCut || kept.length < rows.length,
  };
}

/** The rows by group; the feet come last, wherever they are written. */
function groupsOf(table: HtmlElement): { readonly trs: readonly HtmlElement[]; readonly isHead: boolean }[] {
  const groups = childElements(table, /^(?:thead|tbody|tr)$/);
  return [...groups, ...childElements(table, /^tfoot$/)].map((group) => ({
    trs: group.tagName === 'tr' ? [group] : childElements(group, /^tr$/),
    isHead: group.tagName === 'thead',
  }));
}

/** The rows of a head, else the first row if it has only header cells, and rows like it that follow. */
function headerRows(groups: readonly Group[]): number {
  const filled = groups.filter(({ rows }) => rows.length > 0);
  if (filled[0]?.isHead) return filled[0].rows.length;
  const rows = filled.flatMap((group) => group.rows);
  const first = rows.findIndex((row) => ![...row.values()].every(({ isHeader }) => isHeader));
  // Only header cells: one row of names, not a table of names.
  return first < 0 ? Math.min(1, rows.length) : first;
}

function formRows(trs: readonly HtmlElement[], budget: Budget): Row[] {
  let growing: ReadonlyMap<number, Growing> = new Map();
  return trs.map((tr) => {
    const row: Row = new Map();
    const below = new Map<number, Growing>();
    const put = (x: number, { slot, left }: Growing): void => {
      if (row.has(x)) return;
      budget.isCut ||= x >= MAX_COLUMNS || budget.cells <= 0;
      if (x >= MAX_COLUMNS || budget.cells-- <= 0) return;
      row.set(x, slot);
      if (left > 1) below.set(x, { slot, left: left - 1 });
    };
    for (const [x, cell] of growing) put(x, cell);
    let x = 0;
    for (const cell of childElements(tr, /^t[dh]$/)) {
      while (row.has(x)) x++;
      const width = Math.min(MAX_COLSPAN, spanOf(cell, 'colspan') || 1);
      const height = Math.min(MAX_ROWSPAN, spanOf(cell, 'rowspan')) || Infinity;
      const slot = { text: visibleText(cell.childNodes), isHeader: cell.tagName === 'th' };
      for (const end = x + width; x < end; x++) put(x, { slot, left: height });
    }
    growing = below;
    return row;
  });
}

/** Reads a number as HTML does: leading white space and a plus are allowed, and anything after the digits. */
function spanOf(cell: HtmlElement, name: 'rowspan' | 'colspan'): number {
  const digits = /^[\t\n\f\r ]*\+?(\d+)/.exec(attributeIn(cell, name) ?? '')?.[1];
  return digits === undefined ? 1 : Number(digits);
}
