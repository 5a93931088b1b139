import type { BlockRule } from '../rst-converter.js';
import type { SourceLine } from '../source-line.js';
import { paragraph } from '../writing/paragraph.js';
import { MAX_COLUMNS, pipeTable, type RstRow } from './pipe-table.js';

const BORDER = /^\+(?:[-=]+\+)+$/;
/** A border that ends only some of the cells, next to a cell that spans rows. */
const PARTIAL_BORDER = /\+[-=]{2,}\+/;

/** A table that is drawn with `+`, `-` and `|`. A cell that spans columns or rows is best effort. */
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

function rowsOf(drawn: readonly SourceLine[], borders: readonly number[]): RstRow[] {
  const rows: RstRow[] = [];
  let cells: string[][] = [];
  let line = 0;
  const endRow = (): void => {
    const texts = cells.map((parts) => parts.join('\n').trim());
    if (texts.some((text) => text !== '')) rows.push({ cells: texts, line });
    cells = [];
  };
  for (const own of drawn) {
    if (own.text.startsWith('+')) {
      endRow();
      continue;
    }
    const isPartial = PARTIAL_BORDER.test(own.text);
    if (cells.length === 0) {
      line = own.line;
      cells = borders.slice(1).map(() => []);
    }
    for (const { column, text } of cellsOf(own.text, borders)) {
      if (!/^[-=+]+$/.test(text)) cells[column]?.push(text);
    }
    if (isPartial) endRow();
  }
  endRow();
  return rows;
}

/** Cuts a line at the borders that it has; a cell that spans columns is in the first of them. */
function cellsOf(line: string, borders: readonly number[]): { column: number; text: string }[] {
  const found: { column: number; text: string }[] = [];
  let start = 0;
  for (let column = 1; column < borders.length; column++) {
    const end = borders[column] ?? line.length;
    if (column < borders.length - 1 && !/[|+]/.test(line[end] ?? '|')) continue;
    const text = line.slice((borders[start] ?? 0) + 1, end).trim();
    if (text !== '') found.push({ column: start, text });
    start = column;
  }
  return found;
}
