import { type Matrix, numberAt, type PagePoint, place } from './matrix.js';

/** A drawn line that is horizontal or vertical. */
export interface Rule {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Lines have at most this width, and are at least so long (points). */
const MAX_RULE_WIDTH = 3;
const MIN_RULE_LENGTH = 4;
const MAX_BOX_POINTS = 6;

/** The straight lines of a path. A thin rectangle is one line. */
export function rulesFrom(operations: ArrayLike<unknown>, isFilled: boolean, ctm: Matrix): Rule[] {
  return subpaths(operations).flatMap((points) => {
    const placed = points.map(([x, y]) => place(ctm, x, y));
    if (isFilled) return thinBox(placed);
    return placed.slice(1).flatMap((point, i) => straight(placed[i] ?? point, point));
  });
}

/** The operations of a path in PDF.js, with the number of their coordinates. */
const PATH_STEPS = [2, 2, 6, 4, 0];

function subpaths(operations: ArrayLike<unknown>): PagePoint[][] {
  const paths: PagePoint[][] = [];
  for (let at = 0; at < operations.length;) {
    const step = numberAt(operations, at++);
    const count = PATH_STEPS[step] ?? 0;
    const x = numberAt(operations, at + count - 2);
    const y = numberAt(operations, at + count - 1);
    const open = paths.at(-1);
    const [first] = open ?? [];
    if (step === 0 || !open) paths.push([[x, y]]);
    else if (step === 4 && first) open.push(first);
    else open.push([x, y]);
    at += count;
  }
  return paths;
}

function straight([xa, ya]: PagePoint, [xb, yb]: PagePoint): Rule[] {
  const [width, height] = [Math.abs(xa - xb), Math.abs(ya - yb)];
  if (Math.max(width, height) < MIN_RULE_LENGTH || Math.min(width, height) > 1) return [];
  return [{ x0: Math.min(xa, xb), y0: Math.min(ya, yb), x1: Math.max(xa, xb), y1: Math.max(ya, yb) }];
}

function thinBox(points: readonly PagePoint[]): Rule[] {
  if (points.length > MAX_BOX_POINTS) return [];
  const [x0, x1] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [y0, y1] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  if (Math.min(x1 - x0, y1 - y0) > MAX_RULE_WIDTH) return [];
  if (Math.max(x1 - x0, y1 - y0) < MIN_RULE_LENGTH) return [];
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x1 - x0 > y1 - y0 ? [{ x0, y0: y, x1, y1: y }] : [{ x0: x, y0, x1: x, y1 }];
}
