import { type DirectiveKind, kindOf } from '../directive-kinds.js';
import { outdent, type SourceLine } from '../source-line.js';
import type { RstRow } from './pipe-table.js';

const OPTION = /^ *:\w[\w-]{0,40}:$/;
const DIRECTIVE = /^ *\.\. ([A-Za-z][\w+.:-]{0,80})::(?: +|$)/;
const NOT_TEXT: ReadonlySet<DirectiveKind> = new Set(['dropped', 'toctree', 'code', 'content']);
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
    if (mark !== undefined) cells.push([textOf(text.slice(mark.length))]);
    else cells.at(-1)?.push(textOf(text));
  }
  return cells.map((cell) => cell.join('\n').trim());
}

/** A line without the start of a directive; '' for an option, and for a directive whose argument is not text. */
function textOf(line: string): string {
  if (OPTION.test(line)) return '';
  const [start, name] = DIRECTIVE.exec(line) ?? [];
  if (start === undefined || name === undefined) return line;
  return NOT_TEXT.has(kindOf(name.toLowerCase())) ? '' : line.slice(start.length);
}
