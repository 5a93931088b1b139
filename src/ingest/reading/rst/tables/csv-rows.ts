import type { SourceLine } from '../source-line.js';
import type { RstRow } from './pipe-table.js';

/** Reads comma-separated values; a quoted value may span lines and contain doubled quotes. */
export function csvRows(lines: readonly SourceLine[], separator = ','): RstRow[] {
  const rows: RstRow[] = [];
  let cells: string[] = [];
  let cell: string[] = [];
  let isQuoted = false;
  let hasText = false;
  let first = 0;
  for (const { text, line } of lines) {
    if (!isQuoted && text.trim() === '') continue;
    if (!isQuoted) first = line;
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === '"' && isQuoted && text[at + 1] === '"') {
        cell.push('"');
        at++;
      } else if (character === '"' && (isQuoted || !hasText)) {
        isQuoted = !isQuoted;
        hasText = true;
      } else if (character === separator && !isQuoted) {
        cells.push(cell.join(''));
        cell = [];
        hasText = false;
      } else {
        cell.push(character);
        hasText ||= character !== ' ';
      }
    }
    if (isQuoted) {
      cell.push('\n');
      continue;
    }
    rows.push({ cells: [...cells, cell.join('')], line: first });
    cells = [];
    cell = [];
    hasText = false;
  }
  return cells.length > 0 || cell.length > 0
    ? [...rows, { cells: [...cells, cell.join('')], line: first }]
    : rows;
}
