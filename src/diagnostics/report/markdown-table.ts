import type { ReportColumn } from './report-table.js';

// Characters that can start markup inside a line. `_` does so only at the edge of a word.
const MARKUP = /[\\`*[<|&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
// Line ends would end a cell; direction marks would change how a text reads.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

// Most texts are ids and figures, which need no escaping.
const SUSPECT = /[^a-z0-9 ./#:%+=@,"_-]|(?<![a-z0-9])_|_(?![a-z0-9])/i;

/** Escapes a text for any place in a line of Markdown, including table cells. */
export function plainMarkdown(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(UNSEEN, ' ').replace(MARKUP, '\\$&');
}

/** A table; its cells must be ready to stand in Markdown. */
export function markdownTable<Row>(
  columns: readonly ReportColumn<Row, string>[],
  rows: readonly Row[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${columns.map(({ isNumber }) => (isNumber ? '---:' : '---')).join('|')}|`;
  const lines = rows.map((row) => line(columns.map(({ cell }) => cell(row))));
  return [line(columns.map(({ name }) => name)), rule, ...lines].join('\n');
}
