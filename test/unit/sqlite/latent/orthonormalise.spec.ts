import fc from 'fast-check';
import { orthonormalise } from '../../../../src/sqlite/latent/orthonormalise.js';

const orthonormal = (width: number, ...values: number[]): number[] => {
  const matrix = new Float32Array(values);
  orthonormalise(matrix, width);
  return Array.from(matrix, (value) => Math.round(value * 1e5) / 1e5 + 0);
};

/** Inner product of two columns. */
const inner = (matrix: Float32Array, width: number, [a, b]: [number, number]): number =>
  matrix.reduce((sum, value, i) => sum + (i % width === a ? value * (matrix[i - a + b] ?? 0) : 0), 0);

describe('orthonormalise', () => {
  it('scales columns to length 1 and keeps their sign', () => {
    expect(orthonormal(2, -3, 0, -4, 0, 0, 2)).toEqual([-0.6, 0, -0.8, 0, 0, 1]);
  });

  it('subtracts from a column its projection on previous columns', () => {
    expect(orthonormal(2, 1, 5, 0, 1)).toEqual([1, 0, 0, 1]);
  });

  it.each<[string, number, number[], number[]]>([
    ['a column twice', 2, [3, 3, 4, 4], [0.6, 0, 0.8, 0]],
    ['a column of zeros', 2, [0, 3, 0, 4], [0, 0.6, 0, 0.8]],
    ['fewer rows than columns', 3, [2, 1, 5], [1, 0, 0]],
    ['zeros alone', 2, [0, 0, 0, 0], [0, 0, 0, 0]],
    ['no rows', 2, [], []],
    ['no columns', 0, [], []],
  ])('sets columns to zero that depend on previous ones: %s', (_, width, values, expected) => {
    expect(orthonormal(width, ...values)).toEqual(expected);
  });

  it('leaves orthogonal columns of length 1 or 0, for any input', () => {
    const element = fc.integer({ min: -9, max: 9 });
    const matrices = fc.array(fc.tuple(element, element, element), { maxLength: 12 });
    const pairs: [number, number][] = [
      [0, 1],
      [0, 2],
      [1, 2],
    ];
    fc.assert(
      fc.property(matrices, (rows) => {
        const matrix = new Float32Array(rows.flat());
        orthonormalise(matrix, 3);
        const lengths = [0, 1, 2].map((c) => inner(matrix, 3, [c, c]));
        expect(Math.max(...lengths.map((length) => Math.abs(length - Math.round(length))))).toBeLessThan(
          1e-5,
        );
        expect(Math.max(...pairs.map((pair) => Math.abs(inner(matrix, 3, pair))))).toBeLessThan(1e-5);
      }),
    );
  });
});
