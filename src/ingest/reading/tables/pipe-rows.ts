import { countHeaderRows, placeCells, type PlacedRow, type SpannedCell } from './place-cells.js';

/** A cell as Markdown on one line. */
interface CellText {
  readonly text: string;
  readonly isHeader: boolean;
}

/** A row of a table; cells of one group do not continue in the next. */
export interface TableGroup {
  readonly rows: readonly (readonly SpannedCell<CellText>[])[];
  readonly isHead: boolean;
}

/** Further columns are left out. */
export const MAX_TABLE_COLUMNS = 1000;
/** Places that spans may add to a table, and characters of values that are repeated in them. */
const MAX_ADDED_CELLS = 50_000;
export const MAX_REPEATED_CHARS = 100_000;

type TextRow = PlacedRow<CellText>;

/**
 * Writes a table as rows of Markdown. A value that covers rows is in each of them, so that a row can be quoted alone; one
 * that covers columns is in the first of them, and in the title of each. Header rows become one.
 * @returns first titles over all columns, as lines of their own, then the table; [] for a table without cells
 */
export function pipeRows(groups: readonly TableGroup[]): readonly string[] {
  let added = 0;
  const mayPlace = (column: number, isRepeat: boolean): boolean => {
    if (column >= MAX_TABLE_COLUMNS || added >= MAX_ADDED_CELLS) return false;
    if (isRepeat) added++;
    return true;
  };
  const placed = groups.map(({ rows, isHead }) => ({
    isHead,
    rows: placeCells(rows, mayPlace).filter((row) => row.size > 0),
  }));
  const rows = placed.flatMap((group) => group.rows);
  const columns = rows.reduce((most, row) => Math.max(most, columnsOf(row)), 0);
  if (columns === 0) return [];
  const headers = countHeaderRows(
    placed.map(({ isHead, rows: own }) => ({
      isHead,
      rows: own.map((row) => ({ isHeader: [...row.values()].every(({ value }) => value.isHeader) })),
    })),
  );
  const head = rows.slice(0, headers);
  const isTitle = (row: TextRow): boolean => columns > 1 && row.size >= columns && valuesOf(row).size === 1;
  const names = joinedNames(
    head.filter((row) => !isTitle(row)),
    columns,
  );
  return [
    ...head.filter(isTitle).flatMap((row) => [[...valuesOf(row)][0]?.text ?? '', '']),
    toRow(names),
    `|${' --- |'.repeat(columns)}`,
    ...bodyTexts(rows.slice(headers), columns).map(toRow),
  ];
}

const valuesOf = (row: TextRow): ReadonlySet<CellText> =>
  new Set([...row.values()].map(({ value }) => value));

/** Columns up to the last in which a cell begins. */
function columnsOf(row: TextRow): number {
  let columns = 0;
  for (const [x, { isBeside }] of row) if (!isBeside) columns = Math.max(columns, x + 1);
  return columns;
}

/** The name of each column, from the top down. */
function joinedNames(head: readonly TextRow[], columns: number): readonly string[] {
  return Array.from({ length: columns }, (_, x) => {
    const values = new Set(head.flatMap((row) => row.get(x)?.value ?? []));
    return Array.from(values, ({ text }) => text)
      .filter((text) => text !== '')
      .join(' ');
  });
}

function bodyTexts(rows: readonly TextRow[], columns: number): readonly (readonly string[])[] {
  const known = new Set<CellText>();
  let left = MAX_REPEATED_CHARS;
  const textAt = (row: TextRow, x: number): string => {
    const cell = row.get(x);
    if (!cell || cell.isBeside) return '';
    if (known.has(cell.value)) left -= cell.value.text.length;
    known.add(cell.value);
    return left < 0 ? '' : cell.value.text;
  };
  return rows.map((row) => {
    const width = Math.min(columns, Math.max(...row.keys()) + 1);
    return Array.from({ length: width }, (_, x) => textAt(row, x));
  });
}

const toRow = (cells: readonly string[]): string =>
  `|${cells.map((text) => ` ${text.replace(/(?<!\\)\|/g, '\\|')} |`).join('')}`;
