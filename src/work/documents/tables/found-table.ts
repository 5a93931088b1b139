import type { Caption } from './caption-of.js';
import type { Grid } from './form-table.js';

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
