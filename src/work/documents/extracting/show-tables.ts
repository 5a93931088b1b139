import { clipText } from '../../../text/clip-text.js';
import { shownTitle } from '../../../text/untrusted-text.js';
import { citationOf, type PlacedTable } from '../source/read-document.js';
import { writeCsv } from '../tables/write-csv.js';
import type { ExtractedTables } from './extract-tables.schemas.js';

/** A row of one of the tables of a document. */
export interface TableRow {
  /** Position of its table, from 0. */
  readonly table: number;
  /** Position in its table, from 0; -1 if the table has no rows. */
  readonly row: number;
  readonly cells: readonly string[];
}

type ShownTable = ExtractedTables['tables'][number];

/** A clipped cell is useless if it is shorter (characters). */
const MIN_CELL_CHARS = 40;

/** The rows of all tables in reading order. A table without rows counts as one, so that it is on a page. */
export function rowsOf(tables: readonly PlacedTable[]): TableRow[] {
  return tables.flatMap(({ rows }, table) =>
    rows.length > 0 ? rows.map((cells, row) => ({ table, row, cells })) : [{ table, row: -1, cells: [] }],
  );
}

/** Groups the rows of a page by table. @param rows  of consecutive positions, except for those that are left out */
export function showTables(
  tables: readonly PlacedTable[],
  rows: readonly TableRow[],
  { csv, maxChars }: { readonly csv: boolean; readonly maxChars: number },
): ShownTable[] {
  const byTable = new Map<number, TableRow[]>();
  for (const row of rows) byTable.set(row.table, [...(byTable.get(row.table) ?? []), row]);
  return [...byTable].flatMap(([place, own]) => {
    const table = tables[place];
    const shown = table && showTable(table, own, Math.max(MIN_CELL_CHARS, maxChars));
    if (!shown) return [];
    const text = csv ? { csv: writeCsv([...shown.header, ...shown.rows]) } : {};
    return [{ table: place + 1, ...shown, ...text }];
  });
}

function showTable(
  table: PlacedTable,
  own: readonly TableRow[],
  maxChars: number,
): Omit<ShownTable, 'table'> {
  const kept = own.filter(({ row }) => row >= 0);
  const clip = (cells: readonly string[]): string[] => cells.map((cell) => clipText(cell, maxChars));
  const isClipped = [...table.header, ...kept.map(({ cells }) => cells)].some((cells) =>
    cells.some(({ length }) => length > maxChars),
  );
  return {
    ...citationOf(table.section),
    syntax: table.syntax,
    ...shownCaption(table),
    first_line: table.firstLine,
    last_line: table.lastLine,
    start_char: table.start,
    end_char: table.end,
    columns: table.columns,
    total_rows: table.rows.length,
    header: table.header.map(clip),
    first_row: Math.max(0, kept[0]?.row ?? 0),
    rows: kept.map(({ cells }) => clip(cells)),
    complete: !isClipped && !table.isCut && kept.length === table.rows.length,
  };
}

function shownCaption({ caption, section }: PlacedTable): Pick<ShownTable, 'caption' | 'caption_from'> {
  if (caption) return { caption: clipText(caption.text, 300), caption_from: caption.from };
  if (section) return { caption: shownTitle(section.title), caption_from: 'heading' };
  return { caption: null, caption_from: null };
}
