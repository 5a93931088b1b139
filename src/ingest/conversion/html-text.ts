import type { ConvertedText } from './converted-text.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark);

export const tag = (name: string, content: string): string => `<${name}>${content}</${name}>\n`;

/** A page of HTML. @param title  '' if the file has none @param body  HTML */
export function htmlPage(
  title: string,
  body: string,
  problems: ConvertedText['problems'] = [],
): ConvertedText {
  const head = title === '' ? '' : `<title>${escapeHtml(title)}</title>\n`;
  return { format: 'html', text: `${head}<main>\n${body}</main>\n`, problems };
}

/** A cell of a table of HTML. */
export interface Cell {
  /** HTML */
  readonly content: string;
  readonly columns?: number;
  readonly rows?: number;
}

const spanAttribute = (name: string, cells = 1): string => (cells > 1 ? ` ${name}="${cells}"` : '');

function rowHtml(cells: readonly Cell[], name: 'td' | 'th'): string {
  const written = cells.map(
    ({ content, columns, rows }) =>
      `<${name}${spanAttribute('colspan', columns)}${spanAttribute('rowspan', rows)}>${content}</${name}>`,
  );
  return `<tr>${written.join('')}</tr>\n`;
}

/** A table whose first row has the names of the columns. */
export function tableHtml(rows: readonly (readonly Cell[])[]): string {
  const [header, ...body] = rows;
  if (!header) return '';
  const below = body.map((row) => rowHtml(row, 'td')).join('');
  return `<table>\n<thead>${rowHtml(header, 'th')}</thead>\n<tbody>${below}</tbody>\n</table>\n`;
}

/** The number of filled cells from which a row can be the header of a table. */
const MIN_HEADER_CELLS = 2;

/**
 * The cells of a sheet: what stands above the header as paragraphs, then a table. The header is the first row with at least
 * two cells and at least half as many as the fullest row.
 * @param rows  texts; '' for an empty cell
 */
export function sheetTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const most = Math.max(0, ...filled);
  const least = Math.max(MIN_HEADER_CELLS, most / 2);
  const header = filled.findIndex((count) => count >= least);
  const written = rows.filter((_, i) => (filled[i] ?? 0) > 0);
  if (header < 0) return written.map((row) => paragraphHtml(row.filter(Boolean).join(' '))).join('');
  const above = rows.slice(0, header).filter((_, i) => (filled[i] ?? 0) > 0);
  const below = rows.slice(header).filter((_, i) => (filled[header + i] ?? 0) > 0);
  const cells = withoutEmptyColumns(below).map((row) => row.map((cell) => ({ content: lines(cell) })));
  return above.map((row) => paragraphHtml(row.filter(Boolean).join(' '))).join('') + tableHtml(cells);
}

function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const used = new Set<number>();
  for (const row of rows) for (const [at, cell] of row.entries()) if (cell.trim() !== '') used.add(at);
  const columns = [...used].sort((a, b) => a - b);
  return rows.map((row) => columns.map((at) => row[at] ?? ''));
}

/** Text with its line breaks. */
export const lines = (text: string): string => escapeHtml(text).replace(/\r\n?|\n/g, '<br>');

export const paragraphHtml = (text: string): string => (text.trim() === '' ? '' : tag('p', lines(text)));
