import type { Rule } from './drawn-rules.js';
import type { Word } from './drawn-text.js';
import { turned } from './matrix.js';

/** A table that is drawn with lines. */
export interface RuledTable {
  readonly words: readonly Word[];
  /** The words of each cell, row by row. */
  readonly rows: readonly (readonly (readonly Word[])[])[];
}

/** Lines so close to each other are one line (points). */
const NEAR = 2;
/** A page with more lines shows drawings. */
const MAX_BARS = 1_000;
/** A cell with more lines of text is a part of the page with a frame. */
const MAX_CELL_LINES = 30;

/** A line at `x` or `y`. */
interface Bar {
  readonly isUpright: boolean;
  readonly at: number;
  readonly from: number;
  to: number;
}

/** Finds the tables among words of one direction. All words are either in a table, once, or in the rest. */
export function findRuledTables(
  words: readonly Word[],
  rules: readonly Rule[],
): { readonly tables: readonly RuledTable[]; readonly rest: readonly Word[] } {
  const [first] = words;
  if (!first) return { tables: [], rest: [] };
  const all = rules.map((rule) => barFrom(rule, first.turns));
  const bars = [true, false].flatMap((isUpright) => joined(all.filter((bar) => bar.isUpright === isUpright)));
  const tables: RuledTable[] = [];
  let rest = words;
  for (const grid of bars.length > MAX_BARS ? [] : gridsFrom(bars)) {
    const inside = rest.filter((word) => cellAt(grid, word) !== null);
    const table = tableFrom(grid, inside);
    if (!table) continue;
    tables.push(table);
    const taken = new Set(inside);
    rest = rest.filter((word) => !taken.has(word));
  }
  return { tables, rest };
}

function barFrom({ x0, y0, x1, y1 }: Rule, turns: number): Bar {
  const [[xa, ya], [xb, yb]] = [turned([x0, y0], turns), turned([x1, y1], turns)];
  const isUpright = Math.abs(xa - xb) < Math.abs(ya - yb);
  const [at, from, to] = isUpright ? [(xa + xb) / 2, ya, yb] : [(ya + yb) / 2, xa, xb];
  return { isUpright, at, from: Math.min(from, to), to: Math.max(from, to) };
}

/** Joins the pieces of each line. */
function joined(bars: readonly Bar[]): Bar[] {
  const lines: Bar[][] = [];
  for (const bar of [...bars].sort((a, b) => a.at - b.at)) {
    const line = lines.at(-1);
    if (line?.[0] && bar.at - line[0].at <= NEAR) line.push(bar);
    else lines.push([bar]);
  }
  return lines.flatMap((line) => {
    const found: Bar[] = [];
    for (const bar of line.sort((a, b) => a.from - b.from)) {
      const last = found.at(-1);
      if (last && bar.from - last.to <= NEAR) last.to = Math.max(last.to, bar.to);
      else found.push({ ...bar });
    }
    return found;
  });
}

/** Lines that touch each other, with the edges of the cells between them. */
interface Grid {
  readonly bars: readonly Bar[];
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** Grids of at least two rows and columns, the small ones first, which can lie in cells of others. */
function gridsFrom(bars: readonly Bar[]): Grid[] {
  const rest = new Set(bars);
  const grids: Grid[] = [];
  for (const first of rest) {
    rest.delete(first);
    const group = [first];
    for (const bar of group) {
      for (const other of rest) {
        if (!areTouching(bar, other)) continue;
        rest.delete(other);
        group.push(other);
      }
    }
    const [xs, ys] = [edges(group, true), edges(group, false)];
    if (xs.length > 2 && ys.length > 2) grids.push({ bars: group, xs, ys });
  }
  return grids.sort((a, b) => length(a.xs) * length(a.ys) - length(b.xs) * length(b.ys));
}

const length = (places: readonly number[]): number => (places.at(-1) ?? 0) - (places[0] ?? 0);

const areTouching = (a: Bar, b: Bar): boolean =>
  a.isUpright !== b.isUpright && reaches(a, b) && reaches(b, a);
const reaches = (a: Bar, b: Bar): boolean => b.at >= a.from - NEAR && b.at <= a.to + NEAR;

/** The places of the lines of one direction, and of the ends of the others, which can have no line. */
function edges(bars: readonly Bar[], isUpright: boolean): number[] {
  const places = bars.flatMap((bar) => (bar.isUpright === isUpright ? [bar.at] : [bar.from, bar.to]));
  return places.sort((a, b) => a - b).filter((place, at) => at === 0 || place - (places[at - 1] ?? 0) > NEAR);
}

/** The cell with the middle of a word; null outside of the grid. */
function cellAt({ xs, ys }: Grid, { x0, x1, y, size }: Word): number | null {
  const [column, row] = [indexAt(xs, (x0 + x1) / 2), indexAt(ys, y - size / 3)];
  const isInside = column >= 0 && column < xs.length - 1 && row >= 0 && row < ys.length - 1;
  return isInside ? row * xs.length + column : null;
}

const indexAt = (places: readonly number[], at: number): number =>
  places.findLastIndex((place) => place <= at);

/** For each cell, the first one of those that no line separates from it. */
function firstCells({ bars, xs, ys }: Grid): number[] {
  const walls = { left: new Set<number>(), top: new Set<number>() };
  for (const { isUpright, at, from, to } of bars) {
    const [own, others] = isUpright ? [xs, ys] : [ys, xs];
    const line = indexAt(own, at);
    for (const [i, place] of others.entries()) {
      const middle = (place + (others[i + 1] ?? place)) / 2;
      if (middle < from || middle > to) continue;
      if (isUpright) walls.left.add(i * xs.length + line);
      else walls.top.add(line * xs.length + i);
    }
  }
  const first: number[] = [];
  for (let cell = 0; cell < xs.length * ys.length; cell++) {
    const isJoinedLeft = cell % xs.length > 0 && !walls.left.has(cell);
    const isJoinedUp = cell >= xs.length && !walls.top.has(cell);
    first.push((isJoinedLeft ? first[cell - 1] : isJoinedUp ? first[cell - xs.length] : cell) ?? cell);
  }
  return first;
}

/** The table of a grid without empty rows and columns; null if fewer than two are left. */
function tableFrom(grid: Grid, words: readonly Word[]): RuledTable | null {
  const first = firstCells(grid);
  const cells = new Map<number, Word[]>();
  for (const word of words) {
    const cell = first[cellAt(grid, word) ?? 0] ?? 0;
    const found = cells.get(cell);
    if (found) found.push(word);
    else cells.set(cell, [word]);
  }
  const width = grid.xs.length;
  const sorted = (places: readonly number[]): number[] => [...new Set(places)].sort((a, b) => a - b);
  const columns = sorted([...cells.keys()].map((cell) => cell % width));
  const rows = sorted([...cells.keys()].map((cell) => Math.floor(cell / width)));
  const isLong = [...cells.values()].some((cell) => new Set(cell.map(({ y }) => y)).size > MAX_CELL_LINES);
  if (columns.length < 2 || rows.length < 2 || isLong) return null;
  const [header = [], body = [], ...others] = rows.map((row) =>
    columns.map((column) => cells.get(row * width + column) ?? []),
  );
  return { words, rows: [header, ...(others.length > 0 ? [body, ...others] : textRows(body))] };
}

type Row = RuledTable['rows'][number];

/** A cell of so many lines, of at most so many words each, can have several entries without a line between them. */
const MIN_ENTRIES = 4;
const MAX_ENTRY_WORDS = 2;

/** The rows below a header if no lines are between them: one for each line of text in the first column. */
function textRows(body: Row): Row[] {
  const [names = [], ...others] = body;
  const ys = [...new Set(names.map(({ y }) => y))].sort((a, b) => a - b);
  const isBeside = (y: number): boolean =>
    others.some((cell) => cell.some((word) => Math.abs(word.y - y) < NEAR));
  const areEntries = ys.length >= MIN_ENTRIES && names.length <= MAX_ENTRY_WORDS * ys.length;
  if (!areEntries || !ys.every(isBeside)) return [body];
  const start = (at: number): number => (at === 0 ? -Infinity : (ys[at] ?? Infinity) - NEAR);
  return ys.map((_, at) => body.map((cell) => cell.filter(({ y }) => y >= start(at) && y < start(at + 1))));
}
