import type { BlockRule } from '../rst-converter.js';
import { isBlank, type SourceLine } from '../source-line.js';
import { paragraph } from '../writing/paragraph.js';
import { MAX_COLUMNS, pipeTable, type RstRow } from './pipe-table.js';

const BORDER = /^=+(?: +=+)+$/;
const ONE_COLUMN = /^={2,}$/;
const SPAN = /^-+(?: +-+)*$/;

interface Column {
  readonly start: number;
  readonly end: number;
}

/** True for a border after which a table may end. */
function isLastBorder(lines: readonly SourceLine[], at: number): boolean {
  const text = lines[at]?.text ?? '';
  return text.startsWith('=') && (BORDER.test(text) || ONE_COLUMN.test(text)) && isBlank(lines[at + 1]);
}

/** Creates the rule for tables between lines of `=`, for one list of lines. */
export function simpleTableRule(): BlockRule {
  let last: number | undefined;
  return (lines, at, { rst }) => {
    const top = lines[at]?.text ?? '';
    if (!BORDER.test(top)) return null;
    // Looked up once, so that many unclosed tables take linear time.
    last ??= lines.findLastIndex((_, index) => isLastBorder(lines, index));
    if (last <= at + 1) return null;
    const { end, header } = extentOf(lines, at);
    const columns = columnsOf(top);
    if (columns.length > MAX_COLUMNS) return { lines: paragraph(rst, lines.slice(at, end)), end };
    const titles = header === null ? [] : rowsOf(lines.slice(at + 1, header), columns);
    const rows = rowsOf(lines.slice((header ?? at) + 1, end - 1), columns);
    return { lines: pipeTable({ header: titles, rows }, rst.inline), end };
  };
}

/** `header`: the border below the header, if there is one; `end`: after the last border. */
function extentOf(lines: readonly SourceLine[], at: number): { end: number; header: number | null } {
  let header: number | null = null;
  for (let next = at + 1; next < lines.length; next++) {
    if (!BORDER.test(lines[next]?.text ?? '')) continue;
    if (header !== null || isLastBorder(lines, next)) return { end: next + 1, header };
    header = next;
  }
  return { end: lines.length, header };
}

function columnsOf(border: string): readonly Column[] {
  const columns = [...border.matchAll(/=+/g)].map(({ index, 0: run }) => ({
    start: index,
    end: index + run.length,
  }));
  // The last column has no end.
  return columns.map((column, at) => (at === columns.length - 1 ? { ...column, end: Infinity } : column));
}

/** A line without text in the first column continues the row above. */
function rowsOf(lines: readonly SourceLine[], columns: readonly Column[]): RstRow[] {
  const rows: { cells: string[][]; line: number }[] = [];
  for (const { text, line } of lines) {
    if (text === '' || SPAN.test(text)) continue;
    const cells = cellsOf(text, columns);
    const above = rows.at(-1);
    const isContinued = cells[0] === '' && above !== undefined;
    if (!isContinued) rows.push({ cells: cells.map((cell) => [cell]), line });
    else for (const [at, cell] of above.cells.entries()) cell.push(cells[at] ?? '');
  }
  return rows.map(({ cells, line }) => ({ cells: cells.map((parts) => parts.join('\n').trim()), line }));
}

/** A text that runs across the gap between columns belongs to the column where it begins. */
function cellsOf(text: string, columns: readonly Column[]): string[] {
  const cells: string[] = [];
  let taken = 0;
  for (const [at, { start, end }] of columns.entries()) {
    if (start >= text.length) break;
    let to = end;
    const next = columns[at + 1];
    if (next && text.slice(end, next.start).trim() !== '') to = next.end;
    cells.push(text.slice(Math.max(start, taken), to).trim());
    taken = Math.max(taken, to);
  }
  return cells;
}
