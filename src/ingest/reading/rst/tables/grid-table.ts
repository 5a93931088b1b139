import { MAX_REPEATED_CHARS } from '../../tables/pipe-rows.js';
import type { BlockRule } from '../rst-converter.js';
import type { SourceLine } from '../source-line.js';
import { paragraph } from '../writing/paragraph.js';
import { MAX_COLUMNS, pipeTable, type RstRow } from './pipe-table.js';

const BORDER = /^\+(?:[-=]+\+)+$/;

/** A table that is drawn with `+`, `-` and `|`. A value is in each row that its cell spans, and in the first column. */
export const convertGridTable: BlockRule = (lines, at, { rst }) => {
  const top = lines[at]?.text ?? '';
  if (!BORDER.test(top)) return null;
  let end = at;
  while (/^[+|]/.test(lines[end]?.text ?? '')) end++;
  const borders = columnBorders(lines.slice(at, end));
  const drawn = lines.slice(at, end);
  if (drawn.length < 3 || borders.length > MAX_COLUMNS) return { lines: paragraph(rst, drawn), end };
  const headerEnd = drawn.findIndex(({ text }) => /^\+=+\+/.test(text) && BORDER.test(text));
  const header = headerEnd > 0 ? rowsOf(drawn.slice(0, headerEnd + 1), borders) : [];
  const rows = rowsOf(drawn.slice(Math.max(0, headerEnd)), borders);
  return { lines: pipeTable({ header, rows }, rst.inline), end };
};

/** The columns of the border with the most of them. */
function columnBorders(drawn: readonly SourceLine[]): readonly number[] {
  let most: readonly number[] = [];
  for (const { text } of drawn) {
    if (!BORDER.test(text)) continue;
    const own = [...text.matchAll(/\+/g)].map(({ index }) => index);
    if (own.length > most.length) most = own;
  }
  return most;
}

/** Lines of a cell. Rows that a cell spans share it, so each of them has its whole text. */
type CellLines = string[];

function rowsOf(drawn: readonly SourceLine[], borders: readonly number[]): RstRow[] {
  const rows: { readonly cells: readonly CellLines[]; readonly line: number }[] = [];
  const columns = borders.slice(1);
  let cells: CellLines[] | null = null;
  let line = 0;
  for (const own of drawn) {
    const found = BORDER.test(own.text) ? null : cellsOf(own.text, borders);
    const ended = found?.filter(({ isBorder }) => isBorder);
    if (found === null || (ended && ended.length > 0)) {
      if (cells) rows.push({ cells, line });
      const open: readonly CellLines[] | null = cells;
      cells = found && open ? columns.map((_, x) => (isEnded(ended ?? [], x) ? [] : (open[x] ?? []))) : null;
      line = own.line + 1;
    }
    if (!found) continue;
    if (!cells) {
      cells = columns.map(() => []);
      line = own.line;
    }
    for (const { column, text, isBorder } of found) if (!isBorder) cells[column]?.push(text);
  }
  if (cells) rows.push({ cells, line });
  const textOf = textReader();
  return rows
    .map((row) => ({ ...row, cells: row.cells.map(textOf) }))
    .filter((row) => row.cells.some((text) => text !== ''));
}

/** Reads cells; '' for a repeated one when the limit of repeated text is reached. */
function textReader(): (cell: CellLines) => string {
  const texts = new Map<CellLines, string>();
  let left = MAX_REPEATED_CHARS;
  return (cell) => {
    const known = texts.get(cell);
    if (known !== undefined) left -= known.length;
    const text = known ?? cell.join('\n').trim();
    texts.set(cell, text);
    return left < 0 ? '' : text;
  };
}

const isEnded = (ended: readonly GridCell[], column: number): boolean =>
  ended.some((cell) => cell.column <= column && column < cell.next);

interface GridCell {
  readonly column: number;
  /** The column after it. */
  readonly next: number;
  readonly text: string;
  readonly isBorder: boolean;
}

/** Cuts a line at the borders that it has; a cell that spans columns is in the first of them. */
function cellsOf(line: string, borders: readonly number[]): GridCell[] {
  const found: GridCell[] = [];
  const cuts = cutsOf(line, borders);
  let start = 0;
  for (let column = 1; column < cuts.length; column++) {
    const end = cuts[column] ?? line.length;
    const isLast = column === cuts.length - 1;
    if (!isLast && !/[|+]/.test(line[end] ?? '|')) continue;
    const from = cuts[start] ?? 0;
    const isBorder = BORDER.test(line.slice(from, end + 1));
    // Text that is too wide for the last column is kept.
    const text = (isLast ? line.slice(from + 1).replace(/\|$/, '') : line.slice(from + 1, end)).trim();
    if (text !== '') found.push({ column: start, next: column, text, isBorder });
    start = column;
  }
  return found;
}

/** Where a line is cut: at its own `|` if they fit in number, as wide characters move them, otherwise at the borders. */
function cutsOf(line: string, borders: readonly number[]): readonly number[] {
  const own = [...line.matchAll(/\|/g)].map(({ index }) => index);
  return own.length === borders.length ? own : borders;
}
