export type Matrix = readonly [number, number, number, number, number, number];
export type PagePoint = readonly [number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export const multiplied = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

export const place = (m: Matrix, x: number, y: number): PagePoint => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** A point in the frame of text of a direction. */
export function turned([x, y]: PagePoint, turns: number): PagePoint {
  if (turns === 0) return [x, y];
  if (turns === 1) return [y, -x];
  return turns === 2 ? [-x, -y] : [-y, x];
}

export const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && 'length' in value;

export const numberAt = (args: ArrayLike<unknown>, at: number): number => {
  const value = args[at];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};

export function matrixFrom(value: unknown): Matrix {
  if (!isList(value) || value.length < 6) return IDENTITY;
  const at = (i: number): number => numberAt(value, i);
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}
