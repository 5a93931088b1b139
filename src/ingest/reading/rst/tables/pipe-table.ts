import type { SourceLine } from '../source-line.js';

/** A row of a table; `cells` are texts of one or more lines. */
export interface RstRow {
  readonly cells: readonly string[];
  readonly line: number;
}

export interface RstTable {
  /** Several rows of a header are joined; [] without header. */
  readonly header: readonly RstRow[];
  readonly rows: readonly RstRow[];
}

/** Wider tables are text. */
export const MAX_COLUMNS = 50;

/** Writes a table with one line per row; [] without cells. @param inline  converts the text of a cell */
export function pipeTable(
  { header, rows }: RstTable,
  inline: (text: string) => string,
): readonly SourceLine[] {
  const [first] = [...header, ...rows];
  const columns = [...header, ...rows].reduce((most, { cells }) => Math.max(most, cells.length), 0);
  if (!first || columns === 0) return [];
  const { line } = first;
  if (columns > MAX_COLUMNS)
    return [...header, ...rows].map((row) => ({
      text: inline(oneLine(row.cells.join(' '))),
      line: row.line,
    }));
  const titles = Array.from({ length: columns }, (_, column) =>
    inline(oneLine(header.map(({ cells }) => cells[column] ?? '').join(' '))),
  );
  const blank = { text: '', line };
  return [
    blank,
    { text: toRow(titles), line },
    { text: `|${' --- |'.repeat(columns)}`, line },
    ...rows.map((row) => ({
      text: toRow(row.cells.map((cell) => inline(oneLine(cell)))),
      line: row.line,
    })),
    { ...blank, line: rows.at(-1)?.line ?? line },
  ];
}

function toRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => ` ${oneLine(cell).replace(/(?<!\\)\|/g, '\\|')} |`).join('')}`;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
