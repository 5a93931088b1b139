/** A cell that may cover several columns and rows. */
export interface SpannedCell<T> {
  readonly value: T;
  readonly columns: number;
  /** Infinity to the end of its group of rows. */
  readonly rows: number;
}

/** A cell at one of the places that it covers. */
interface PlacedCell<T> {
  readonly value: T;
  /** True for its places to the right of the first column. */
  readonly isBeside: boolean;
  /** Rows from here on that it covers. */
  readonly rows: number;
}

/** A row of cells by column; columns without a cell are missing. */
export type PlacedRow<T> = ReadonlyMap<number, PlacedCell<T>>;

/** Decides if a cell may take a place in a column; `isRepeat` for all places but its first. */
type MayPlace = (column: number, isRepeat: boolean) => boolean;

/** Places the cells of a group of rows as section 4.9.12 of the HTML standard says. */
export function placeCells<T>(
  rows: readonly (readonly SpannedCell<T>[])[],
  mayPlace: MayPlace,
): PlacedRow<T>[] {
  let above: PlacedRow<T> = new Map();
  return rows.map((cells) => {
    const row = new Map<number, PlacedCell<T>>();
    for (const [x, cell] of above) {
      if (cell.rows > 1 && mayPlace(x, true)) row.set(x, { ...cell, rows: cell.rows - 1 });
    }
    let x = 0;
    for (const { value, columns, rows: height } of cells) {
      while (row.has(x)) x++;
      for (const first = x, end = x + columns; x < end; x++) {
        const isBeside = x > first;
        if (!row.has(x) && mayPlace(x, isBeside)) row.set(x, { value, isBeside, rows: height });
      }
    }
    above = row;
    return row;
  });
}

/** Limits of the HTML standard. */
const MAX_SPANS = { colspan: 1000, rowspan: 65_534 } as const;

/** Reads a span as HTML does: white space and a plus may precede the digits, and anything may follow them. */
export function readSpan(name: keyof typeof MAX_SPANS, written: string | null): number {
  const digits = /^[\t\n\f\r ]*\+?(\d+)/.exec(written ?? '')?.[1];
  const span = digits === undefined ? 1 : Math.min(MAX_SPANS[name], Number(digits));
  return span === 0 && name === 'rowspan' ? Infinity : Math.max(1, span);
}

/** A group of rows; `isHead` for the head of the table. */
interface Group {
  readonly rows: readonly { readonly isHeader: boolean }[];
  readonly isHead: boolean;
}

/** The number of header rows: of the head, else those at the start that have only header cells, if others follow. */
export function countHeaderRows(groups: readonly Group[]): number {
  const filled = groups.filter(({ rows }) => rows.length > 0);
  if (filled[0]?.isHead) return filled[0].rows.length;
  const rows = filled.flatMap((group) => group.rows);
  const first = rows.findIndex(({ isHeader }) => !isHeader);
  // Only header cells: one row of names, not a table of names.
  return first < 0 ? Math.min(1, rows.length) : first;
}
