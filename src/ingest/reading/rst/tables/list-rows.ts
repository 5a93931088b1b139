import { outdent, type SourceLine } from '../source-line.js';
import type { RstRow } from './pipe-table.js';

const ROW = /^[*+-](?: +|$)/;

/** Reads a list of lists: each item is a row, and each item in it a cell. */
export function listRows(lines: readonly SourceLine[]): RstRow[] {
  const rows: RstRow[] = [];
  for (let at = 0; at < lines.length; at++) {
    const own = lines[at];
    const [mark] = ROW.exec(own?.text ?? '') ?? [];
    if (!own || mark === undefined) continue;
    let end = at + 1;
    while (end < lines.length && !ROW.test(lines[end]?.text ?? '')) end++;
    const body = [
      { ...own, text: own.text.slice(mark.length) },
      ...outdent(lines.slice(at + 1, end), mark.length),
    ];
    rows.push({ cells: cellsOf(body), line: own.line });
    at = end - 1;
  }
  return rows;
}

function cellsOf(lines: readonly SourceLine[]): string[] {
  const cells: string[][] = [];
  for (const { text } of lines) {
    const [mark] = ROW.exec(text) ?? [];
    if (mark !== undefined) cells.push([text.slice(mark.length)]);
    else if (!/^ *(?:\.\. \S{1,80}::|:\w[\w-]{0,40}:$)/.test(text)) cells.at(-1)?.push(text);
  }
  return cells.map((cell) => cell.join('\n').trim());
}
