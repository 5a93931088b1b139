import type { Cell } from '../html-text.js';

/** Cells of one table; later rows are left out. */
const MAX_CELLS = 100_000;

/** Reads the lines of a table of `tbl`. @param html  HTML of the text of a cell */
export function roffTable(lines: readonly string[], html: (text: string) => string): Cell[][] {
  const hasOptions = /;\s*$/.test(lines[0] ?? '');
  const [, separator = '\t'] = (hasOptions && /\btab\s*\((.)\)/.exec(lines[0] ?? '')) || [];
  const start = hasOptions ? 1 : 0;
  const end = lines.findIndex((line, i) => i >= start && /\.\s*$/.test(line));
  if (end < 0) return [];
  const rows: string[][] = [];
  let isRuled = false;
  let cells = 0;
  for (const row of blockRows(lines.slice(end + 1), separator)) {
    if (/^\s*(?:[_=]|\\_)\s*$/.test(row[0] ?? '') && row.length === 1) {
      isRuled ||= rows.length === 1;
      continue;
    }
    cells += row.length;
    if (cells <= MAX_CELLS) rows.push(row);
  }
  const isHeader = isRuled || /^[^,]*\b[a-z]*b\b/i.test(lines[start] ?? '');
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const written = rows.map((row) =>
    Array.from({ length: Math.min(width, 100) }, (_, i) => ({ content: html((row[i] ?? '').trim()) })),
  );
  return isHeader || written.length === 0
    ? written
    : [(written[0] ?? []).map(() => ({ content: '' })), ...written];
}

/** The rows, with the cells of several lines between `T{` and `T}`. */
function* blockRows(lines: readonly string[], separator: string): Generator<string[]> {
  let row: string[] = [];
  let block: string[] | null = null;
  for (const line of lines) {
    if (block && !line.startsWith('T}')) {
      if (!/^[.'](?:br|sp|nf|fi|ad|na|hy|nh|PD|P|PP|LP|TP)?\s*$/.test(line))
        block.push(line.replace(/^\.[BIR]{1,2} /, ''));
      continue;
    }
    if (!block && /^\.(?:T&|sp|ad|na|hy|nh|in|br|ne)/.test(line)) continue;
    const parts: string[] = (block ? line.slice(2).replace(separator, '') : line).split(separator);
    if (block) {
      row.push(block.join(' '));
      // The row ends with the block.
      if (line.length === 2) parts.length = 0;
    }
    block = parts.at(-1)?.trim() === 'T{' ? [] : null;
    row.push(...(block ? parts.slice(0, -1) : parts));
    if (block) continue;
    if (row.length > 0) yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}
