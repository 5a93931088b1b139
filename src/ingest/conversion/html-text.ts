import { MAX_TABLE_COLUMNS } from '../reading/tables/pipe-rows.js';
import type { ConvertedText } from './converted-text.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (mark) => ESCAPES[mark] ?? mark);

export const tag = (name: string, content: string): string => `<${name}>${content}</${name}>\n`;

/** A page of HTML. @param title  '' if the file has none @param body  HTML */
export function htmlPage(title: string, body: string, leftOut: readonly string[] = []): ConvertedText {
  const head = title === '' ? '' : `<title>${escapeHtml(title)}</title>\n`;
  return { format: 'html', text: `${head}<main>\n${body}</main>\n`, leftOut };
}

/** A slide of a presentation. */
export interface Slide {
  /** Text; '' if it has none. */
  readonly title: string;
  /** HTML */
  readonly body: string;
}

/** A presentation, with a section for each slide. */
export function slidesPage(title: string, slides: readonly Slide[]): ConvertedText {
  const empty = slides.filter((slide) => slide.title === '' && slide.body === '').length;
  const sections = slides.map(
    (slide, i) => tag('h2', escapeHtml(slide.title || `Slide ${i + 1}`)) + slide.body,
  );
  return htmlPage(
    title,
    sections.join(''),
    empty > 0 ? [`${empty} of ${slides.length} slides have no text`] : [],
  );
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
 * two cells, and with a cell in half of the columns that at least two rows reach.
 * @param rows  texts; '' for an empty cell
 */
export function sheetTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const widths = withoutEmptyColumns(rows).map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1);
  const [widest = 0, width = widest] = widths.sort((a, b) => b - a);
  const least = Math.max(MIN_HEADER_CELLS, width / 2);
  const header = filled.findIndex((count) => count >= least);
  const isAbove = (at: number): boolean => header < 0 || at < header;
  const above = rows.filter((_, at) => isAbove(at));
  const below = rows.filter((_, at) => !isAbove(at) && (filled[at] ?? 0) > 0);
  const cells = withoutEmptyColumns(below).map((row) => row.map((cell) => ({ content: lines(cell) })));
  return above.map((row) => paragraphHtml(row.filter(Boolean).join(' '))).join('') + tableHtml(cells);
}

/** Cells of all sheets of a workbook that are read. */
export const MAX_SHEET_CELLS = 1_000_000;

/** A workbook, with a section and a table for each sheet. @param sheets  of at most `MAX_SHEET_CELLS` cells together; later ones are left out */
export function sheetsPage(
  title: string,
  sheets: readonly { readonly name: string; readonly rows: readonly (readonly string[])[] }[],
  leftOut: readonly string[] = [],
): ConvertedText {
  let room = MAX_SHEET_CELLS;
  let [lost, beyond] = [0, 0];
  const sections = sheets.map(({ name, rows }) => {
    const taken = rows.filter((row) => (room -= row.length) >= 0);
    lost += rows.length - taken.length;
    beyond += countBeyond(taken);
    return tag('h2', escapeHtml(name)) + sheetTable(taken);
  });
  const cut = lost > 0 ? [`${lost} rows beyond ${MAX_SHEET_CELLS} cells are left out`] : [];
  return htmlPage(title, sections.join(''), [...leftOut, ...cut, ...beyondText(beyond)]);
}

/** The remark about sheets that a workbook hides. */
export const hiddenSheets = (hidden: number, all: number): string[] =>
  hidden > 0 ? [`${hidden} of ${all} sheets are hidden, and left out`] : [];

/** The remark about cells that `countBeyond` has counted. */
export const beyondText = (cells: number): string[] =>
  cells > 0 ? [`${cells} cells beyond ${MAX_TABLE_COLUMNS} columns of a table are left out`] : [];

/** The cells in columns that a table of a section has no place for. */
export function countBeyond(rows: readonly (readonly string[])[]): number {
  const beyond = new Set(usedColumns(rows).slice(MAX_TABLE_COLUMNS));
  if (beyond.size === 0) return 0;
  return rows.reduce(
    (sum, row) => sum + row.filter((cell, at) => beyond.has(at) && cell.trim() !== '').length,
    0,
  );
}

function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const columns = usedColumns(rows);
  return rows.map((row) => columns.map((at) => row[at] ?? ''));
}

function usedColumns(rows: readonly (readonly string[])[]): number[] {
  const used = new Set<number>();
  for (const row of rows) for (const [at, cell] of row.entries()) if (cell.trim() !== '') used.add(at);
  return [...used].sort((a, b) => a - b);
}

/** Text with its line breaks. */
export const lines = (text: string): string => escapeHtml(text).replace(/\r\n?|\n/g, '<br>');

export const paragraphHtml = (text: string): string => (text.trim() === '' ? '' : tag('p', lines(text)));
