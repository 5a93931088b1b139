import type { Word } from './drawn-text.js';

/** Words at about the same height. */
export interface WordRow {
  readonly y: number;
  readonly words: readonly Word[];
}

/** Words at one height differ by less than this share of their size. */
const SAME_HEIGHT = 0.25;

/** Rows from the top; the words of each from the left. */
export function rowsFrom(words: readonly Word[]): WordRow[] {
  const rows: { y: number; readonly words: Word[] }[] = [];
  for (const word of [...words].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = rows.at(-1);
    const size = Math.min(word.size, row?.words[0]?.size ?? word.size);
    if (row && word.y - row.y < SAME_HEIGHT * size) row.words.push(word);
    else rows.push({ y: word.y, words: [word] });
  }
  return rows.map(({ y, words: found }) => ({ y, words: found.sort((a, b) => a.x0 - b.x0) }));
}

/** A stretch of a row without a wide gap. */
interface Stretch {
  readonly x0: number;
  readonly x1: number;
  readonly words: readonly Word[];
}

/** A wider gap (share of the size) can be the one between columns. */
const WIDE_GAP = 0.7;
/** The number of rows from which text at one side of a gap is a column. */
const MIN_ROWS = 4;
const MAX_DEPTH = 4;
/** Places of gaps are tried at this distance (points). */
const STEP = 3;

const stretches = ({ words }: WordRow): Stretch[] => {
  const found: { x0: number; x1: number; readonly words: Word[] }[] = [];
  for (const word of words) {
    const last = found.at(-1);
    if (last && word.x0 - last.x1 < WIDE_GAP * word.size) {
      last.words.push(word);
      last.x1 = Math.max(last.x1, word.x1);
    } else found.push({ x0: word.x0, x1: word.x1, words: [word] });
  }
  return found;
};

/** Rows `from` to `to` with text on both sides of the place `x`, and none across it. */
interface Gutter {
  readonly x: number;
  readonly from: number;
  /** Not included. */
  readonly to: number;
  readonly left: readonly Stretch[];
  readonly right: readonly Stretch[];
}

/**
 * The parts of a page in the order of reading: text in columns is read column by column.
 *
 *     a title over both       1
 *     left     right          2  3
 *     left     right
 *     text over both          4
 */
export function columnsFrom(words: readonly Word[], depth = 0): (readonly Word[])[] {
  const rows = rowsFrom(words);
  const gutter = depth < MAX_DEPTH && rows.length >= MIN_ROWS ? bestGutter(rows) : null;
  if (!gutter) return words.length > 0 ? [words] : [];
  const { from, to, x } = gutter;
  const below = (part: readonly WordRow[]): (readonly Word[])[] =>
    columnsFrom(
      part.flatMap((row) => row.words),
      depth,
    );
  const within = rows.slice(from, to).flatMap((row) => row.words);
  return [
    ...below(rows.slice(0, from)),
    ...columnsFrom(
      within.filter((word) => word.x0 < x),
      depth + 1,
    ),
    ...columnsFrom(
      within.filter((word) => word.x0 >= x),
      depth + 1,
    ),
    ...below(rows.slice(to)),
  ];
}

function bestGutter(rows: readonly WordRow[]): Gutter | null {
  const all = rows.map(stretches);
  const ends = all.flat();
  const start = ends.reduce((least, { x0 }) => Math.min(least, x0), Infinity);
  const end = ends.reduce((most, { x1 }) => Math.max(most, x1), -Infinity);
  let best: Gutter | null = null;
  let bestScore = 0;
  for (let x = start + STEP; x < Math.min(end, start + MAX_WIDTH); x += STEP) {
    for (const gutter of guttersAt(all, x)) {
      const score = Math.min(gutter.left.length, gutter.right.length);
      if (score > bestScore && areColumns(gutter)) [best, bestScore] = [gutter, score];
    }
  }
  return best;
}

/** Wider pages are not searched further (points). */
const MAX_WIDTH = 3_000;

/** The runs of rows that no text crosses at a place. */
function guttersAt(all: readonly (readonly Stretch[])[], x: number): Gutter[] {
  const found: Gutter[] = [];
  let from = 0;
  const close = (to: number): void => {
    const gutter = between(all, x, { from, to });
    if (gutter && Math.min(gutter.left.length, gutter.right.length) >= MIN_ROWS) found.push(gutter);
    from = to + 1;
  };
  for (const [at, row] of all.entries()) if (row.some(({ x0, x1 }) => x0 < x && x1 > x)) close(at);
  close(all.length);
  return found;
}

/** The part of a run of rows that begins and ends with text on the left side. */
function between(
  all: readonly (readonly Stretch[])[],
  x: number,
  run: { readonly from: number; readonly to: number },
): Gutter | null {
  let { from, to } = run;
  const isRightOnly = (row: readonly Stretch[] | undefined): boolean =>
    row !== undefined && row.every(({ x0 }) => x0 >= x);
  while (from < to && isRightOnly(all[from])) from++;
  const rows = all.slice(from, to);
  const left = rows.flatMap((row) => joined(row.filter(({ x1 }) => x1 <= x)));
  const right = rows.flatMap((row) => joined(row.filter(({ x0 }) => x0 >= x)));
  to = from + rows.length;
  return { x, from, to, left, right };
}

function joined(row: readonly Stretch[]): Stretch[] {
  const [first] = row;
  const last = row.at(-1);
  if (!first || !last) return [];
  return [{ x0: first.x0, x1: last.x1, words: row.flatMap(({ words }) => words) }];
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Lines of prose fill their column at least so far. */
const MIN_FILL = 0.6;
const MIN_WORDS = 3;
const MIN_COLUMN_SIZES = 8;
const INDEX_ROWS = 8;
const INDEX_SHARE = 0.4;

/** True for columns of prose or of an index; false for those of a table, which is read row by row. */
function areColumns({ left, right }: Gutter): boolean {
  const leftEnd = left.reduce((most, { x1 }) => Math.max(most, x1), -Infinity);
  const rightStart = right.reduce((least, { x0 }) => Math.min(least, x0), Infinity);
  const size = median(right.map(({ words }) => words[0]?.size ?? 0));
  if (rightStart - leftEnd < WIDE_GAP * size) return false;
  return [left, right].every(isProse) || [left, right].every(isIndex);
}

function isProse(column: readonly Stretch[]): boolean {
  const start = column.reduce((least, { x0 }) => Math.min(least, x0), Infinity);
  const end = column.reduce((most, { x1 }) => Math.max(most, x1), -Infinity);
  const size = median(column.map(({ words }) => words[0]?.size ?? 0));
  const filled = median(column.map(({ x0, x1 }) => (x1 - x0) / (end - start)));
  const count = median(column.map(({ words }) => words.length));
  return filled >= MIN_FILL && count >= MIN_WORDS && end - start >= MIN_COLUMN_SIZES * size;
}

/** Entries of an index are words that end with the number of a page. Cells of a table can be numbers alone. */
function isIndex(column: readonly Stretch[]): boolean {
  const numbered = column.filter(
    ({ words }) => /\d,?$/.test(words.at(-1)?.text ?? '') && words.some(({ text }) => /\p{L}/u.test(text)),
  );
  return column.length >= INDEX_ROWS && numbered.length >= INDEX_SHARE * column.length;
}
