import {
  countHeaderRows,
  placeCells,
  type PlacedRow,
  readSpan,
} from '../../../ingest/reading/tables/place-cells.js';
import { withoutInvisible } from '../../../text/remove-invisible.js';
import { attributeIn, childElements, type HtmlChild, type HtmlElement, isElement } from './html-tree.js';

export const BLOCK =
  /^(?:address|article|blockquote|dd|details|div|dl|dt|figcaption|figure|h[1-6]|hr|li|ol|p|pre|section|summary|ul)$/;
/** Elements without text of the cell around them. Nested tables are tables of their own. */
const LEFT_OUT = /^(?:script|style|template|noscript|svg|table|select|textarea)$/;

interface Left {
  /** A string is text to add. */
  readonly node: HtmlChild | string;
  readonly isPre: boolean;
}

/** The text of nodes as readers see it: one line per block, white space collapsed, images by their alternative text. */
function visibleText(nodes: readonly HtmlChild[]): string {
  const pieces: string[] = [];
  const rest: Left[] = nodes.map((node) => ({ node, isPre: false })).reverse();
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node, isPre } = next;
    if (typeof node === 'string') pieces.push(node);
    else if (node.nodeName === '#text' && 'value' in node) {
      pieces.push(isPre ? node.value : node.value.replace(/\s+/g, ' '));
    } else if (isElement(node)) openElement(node, isPre, rest);
  }
  const lines = withoutInvisible(pieces.join('').toWellFormed()).split('\n');
  return lines
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function openElement(element: HtmlElement, isPre: boolean, rest: Left[]): void {
  const { tagName, childNodes } = element;
  if (LEFT_OUT.test(tagName)) return;
  if (tagName === 'br') rest.push({ node: '\n', isPre });
  if (tagName === 'img') rest.push({ node: attributeIn(element, 'alt') ?? '', isPre });
  const isBlock = BLOCK.test(tagName);
  if (isBlock) rest.push({ node: '\n', isPre });
  for (let i = childNodes.length - 1; i >= 0; i--) {
    const node = childNodes[i];
    if (node) rest.push({ node, isPre: isPre || tagName === 'pre' });
  }
  if (isBlock) rest.push({ node: '\n', isPre });
}

/** A table with every cell of its grid. A value that spans cells is repeated in each of them. */
export interface Grid {
  readonly columns: number;
  /** Mostly one; none for a table without a header row. */
  readonly header: readonly (readonly string[])[];
  readonly rows: readonly (readonly string[])[];
  /** True when the table has more cells than the limit; the rest is left out. */
  readonly isCut: boolean;
}

/** Further columns are left out. */
const MAX_COLUMNS = 1000;

interface Slot {
  readonly text: string;
  readonly isHeader: boolean;
}

/** Forms a table as section 4.9.12 of the HTML standard says. @param maxCells  of the whole grid */
export function formTable(table: HtmlElement, maxCells: number): Grid {
  let left = maxCells;
  let isCut = false;
  const mayPlace = (column: number): boolean => {
    const fits = column < MAX_COLUMNS && left > 0;
    if (fits) left--;
    isCut ||= !fits;
    return fits;
  };
  const groups = groupsOf(table).map(({ trs, isHead }) => ({
    rows: placeCells(trs.map(cellsOf), mayPlace).filter((row) => row.size > 0),
    isHead,
  }));
  const rows = groups.flatMap((group) => group.rows);
  let columns = 0;
  for (const row of rows) for (const x of row.keys()) columns = Math.max(columns, x + 1);
  const headers = countHeaderRows(
    groups.map((group) => ({ ...group, rows: group.rows.map((row) => ({ isHeader: isHeaderRow(row) })) })),
  );
  const kept = rows.slice(0, Math.floor(maxCells / Math.max(1, columns)));
  const filled = kept.map((row) => Array.from({ length: columns }, (_, x) => row.get(x)?.value.text ?? ''));
  return {
    columns,
    header: filled.slice(0, headers),
    rows: filled.slice(headers),
    isCut: isCut || kept.length < rows.length,
  };
}

const isHeaderRow = (row: PlacedRow<Slot>): boolean => [...row.values()].every(({ value }) => value.isHeader);

/** The rows by group; the feet come last, wherever they are written. */
function groupsOf(table: HtmlElement): { readonly trs: readonly HtmlElement[]; readonly isHead: boolean }[] {
  const groups = childElements(table, /^(?:thead|tbody|tr)$/);
  return [...groups, ...childElements(table, /^tfoot$/)].map((group) => ({
    trs: group.tagName === 'tr' ? [group] : childElements(group, /^tr$/),
    isHead: group.tagName === 'thead',
  }));
}

function cellsOf(tr: HtmlElement) {
  return childElements(tr, /^t[dh]$/).map((cell) => ({
    value: { text: visibleText(cell.childNodes), isHeader: cell.tagName === 'th' },
    columns: readSpan('colspan', attributeIn(cell, 'colspan')),
    rows: readSpan('rowspan', attributeIn(cell, 'rowspan')),
  }));
}

/** A longer line before a table is text, not a caption. */
const MAX_LINE_CHARS = 300;
/** Elements around a table that only frame it. */
const MAX_FRAMES = 3;

/** A caption, and where it was found. */
interface Caption {
  readonly text: string;
  readonly from: 'caption' | 'line';
}

/** The caption element of a table, else a line directly before it that ends with a colon or begins with "Table". */
export function captionOf(table: HtmlElement): Caption | null {
  const [own] = childElements(table, /^caption$/);
  const figure = table.parentNode && isElement(table.parentNode) ? table.parentNode : null;
  const [around] = figure?.tagName === 'figure' ? childElements(figure, /^figcaption$/) : [];
  const text = visibleText((own ?? around)?.childNodes ?? []);
  if (text !== '') return { text, from: 'caption' };
  const line = lineBefore(table);
  const isCaption = line.length <= MAX_LINE_CHARS && /(?:[:：]$)|^Table\b/i.test(line);
  return isCaption ? { text: line, from: 'line' } : null;
}

const isBlank = (node: HtmlChild): boolean =>
  node.nodeName === '#comment' || ('value' in node && node.value.trim() === '');

/** The last line of the paragraph or text before a table; empty for anything else. */
function lineBefore(table: HtmlElement): string {
  let element = table;
  for (let frames = 0; frames <= MAX_FRAMES; frames++) {
    const parent = element.parentNode;
    if (!parent) return '';
    const before = parent.childNodes.slice(0, parent.childNodes.indexOf(element));
    const last = before.findLast((node) => !isBlank(node));
    if (last) return lastLine(before.slice(0, before.indexOf(last) + 1));
    if (!isElement(parent) || !/^(?:div|figure|center)$/.test(parent.tagName)) return '';
    element = parent;
  }
  return '';
}

function lastLine(before: readonly HtmlChild[]): string {
  const isBreak = (node: HtmlChild): boolean =>
    isElement(node) && (BLOCK.test(node.tagName) || /^(?:br|table)$/.test(node.tagName));
  const last = before.at(-1);
  if (last && isElement(last) && last.tagName === 'p') return visibleText([last]).split('\n').at(-1) ?? '';
  const start = before.findLastIndex(isBreak) + 1;
  return visibleText(before.slice(start)).split('\n').at(-1) ?? '';
}

/** A table of a document, and its place in the text. */
export interface FoundTable extends Grid {
  readonly syntax: 'markdown' | 'html';
  /** Lines in the text, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Offsets in the text: of the element in HTML, of whole lines otherwise. */
  readonly start: number;
  readonly end: number;
  readonly caption: Caption | null;
}

/** Cells of all tables of one document. A column that spans 1,000 cells in 50,000 rows would fill the memory. */
export const MAX_CELLS = 50_000;

/** Offsets of the beginning of each line; a last one for the end of the text. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return [...starts, text.length + 1];
}
