import { type DiagnosticColumn, type NumberFormats, valueText } from '../../diagnostics/report/columns.js';
import { formatCount, formatMs, formatScore } from '../../diagnostics/report/format.js';
import { type Html, html, type Part } from './html.js';

/** The pages of a list, which one parameter of its address chooses. */
export interface Pages {
  readonly path: string;
  /** The parameters of this page. Undefined ones are left out. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The parameter that chooses the page; undefined on the first page. */
  readonly by: string;
  /** Its value for the next page; null on the last page. */
  readonly next: string | number | null;
  /** Name of the list in sentences. Default: the list. */
  readonly of?: string;
  /** Default: the newest rows come first. */
  readonly words?: readonly [first: string, next: string];
  /** The part of the page where the list is, such as `#calls`. Default: the page. */
  readonly place?: string;
}

/** Links to the first and the next page of a list. */
export function pager({ path, query, by, next, of = 'the list', words, place = '' }: Pages): Html {
  const [begin, more] = words ?? ['Newest', 'Older'];
  const link = (value?: string | number): string => `${listAddress(path, { ...query, [by]: value })}${place}`;
  return html`<nav class="pager" aria-label="Pages of ${of}">
    ${query[by] !== undefined && html`<a href="${link()}">← ${begin}</a>`}
    ${next !== null && html`<a rel="next" href="${link(next)}">${more} →</a>`}
  </nav>`;
}

/** The address of a list with these filters. Undefined ones are left out. */
function listAddress(path: string, query: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size > 0 ? `${path}?${params.toString()}` : path;
}

/** A column of a page's table. A null cell shows as a dash. */
export interface PageColumn<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => Part;
  /** Wider than the others. */
  readonly isWide?: boolean;
  /** True if its cells are the headers of their rows. */
  readonly isHead?: boolean;
}

const FORMATS: NumberFormats = { rank: String, count: formatCount, score: formatScore, ms: formatMs };

/** Converts a column of diagnostics to one of a page. @param looks  overrides its properties */
export function pageColumn<Row>(
  column: DiagnosticColumn<Row>,
  looks: Partial<PageColumn<Row>> = {},
): PageColumn<Row> {
  const { heading, name, unit } = column;
  const cell = (row: Row): Part => valueText(column, row, FORMATS);
  return { name: heading ?? name, isNumber: unit !== undefined, cell, ...looks };
}

interface TableOptions<T> {
  readonly caption: Part;
  readonly isCaptionHidden?: boolean;
  readonly columns: readonly PageColumn<T>[];
  readonly rows: readonly T[];
}

function tableRow<T>(row: T, columns: readonly PageColumn<T>[]): Html {
  const cells = columns.map(({ name, isNumber, isHead, isWide, cell }) => {
    const content = cell(row);
    const kinds = [isNumber ? 'number' : 'words', isWide && 'wide', content === null && 'none'];
    const kind = kinds.filter(Boolean).join(' ');
    const shown = html`<span class="cell">${content ?? '–'}</span>`;
    if (isHead)
      return html`<th role="rowheader" scope="row" class="${kind}" data-name="${name}">${shown}</th>`;
    return html`<td role="cell" class="${kind}" data-name="${name}">${shown}</td>`;
  });
  return html`<tr role="row">
    ${cells}
  </tr>`;
}

/** The columns that have a value in any row, and those that name the rows. */
export function filledColumns<T>(
  rows: readonly T[],
  columns: readonly PageColumn<T>[],
): readonly PageColumn<T>[] {
  return columns.filter(({ isHead, cell }) => isHead || rows.some((row) => cell(row) !== null));
}

/** A table whose rows become cards on narrow screens. Roles are explicit because the style of cards removes them. */
export function table<T>(options: TableOptions<T>): Html {
  const { caption, isCaptionHidden, columns, rows } = options;
  const heads = columns.map(
    ({ name, isNumber }) =>
      html`<th role="columnheader" scope="col" class="${isNumber ? 'number' : 'words'}">${name}</th>`,
  );
  return html`<table role="table" class="cards">
    <caption class="${isCaptionHidden ? 'unseen' : 'seen'}">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => tableRow(row, columns))}
    </tbody>
  </table>`;
}

interface ListOptions<T> extends TableOptions<T> {
  /** Stands for a table without rows. */
  readonly empty: Part;
  readonly pages?: Pages;
}

/** A page of a list: its rows, and links to the other pages. */
export function listTable<T>({ empty, pages, ...shown }: ListOptions<T>): Html {
  return html`${shown.rows.length > 0 ? table(shown) : html`<p class="empty">${empty}</p>`}
  ${pages && pager(pages)}`;
}
