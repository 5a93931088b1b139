import type { ReportColumn } from './report-table.js';

// What could start markup in the middle of a line. `_` does so only beside a letter that it doesn't join to another.
const MARKUP = /[\\`*[<|&~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
// Ends of lines would end a cell; marks of direction would show a text as another one.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

// Most texts are ids and figures, which need neither of the searches above.
const SUSPECT = /[^a-z0-9 ./#:%+=@,"_-]|(?<![a-z0-9])_|_(?![a-z0-9])/i;

/** A text that shows as it reads wherever it stands in a line of Markdown, a table's cell included. */
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
