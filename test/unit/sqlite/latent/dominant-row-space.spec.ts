import { dominantRowSpace } from '../../../../src/sqlite/latent/latent-space.js';
import { multiply, type SparseRow } from '../../../../src/sqlite/latent/sparse-rows.js';
import { aSparseRow } from './a-sparse-row.js';

/** Rows of rank two: two rows, their sum, and the first one doubled. */
const rankTwo = [
  aSparseRow({ 0: 1, 1: 2 }),
  aSparseRow({ 2: 3, 3: 1 }),
  aSparseRow({ 0: 1, 1: 2, 2: 3, 3: 1 }),
  aSparseRow({ 0: 2, 1: 4 }),
];

/** Each row projected into the space and back: A X Xᵀ. */
function thereAndBack(rows: readonly SparseRow[], basis: Float32Array, rank: number): number[] {
  const inSpace = multiply(rows, basis, rank);
  const width = basis.length / rank;
  return Array.from({ length: rows.length * width }, (_, i) => {
    const [row, column] = [Math.floor(i / width), i % width];
    const components = Array.from({ length: rank }, (_unused, c) => c);
    const sum = components.reduce(
      (total, c) => total + (inSpace[row * rank + c] ?? 0) * (basis[column * rank + c] ?? 0),
      0,
    );
    return Math.round(sum * 1e4) / 1e4 + 0;
  });
}

describe('dominantRowSpace', () => {
  it('reconstructs a matrix if the rank is high enough', () => {
    expect(thereAndBack(rankTwo, dominantRowSpace(rankTwo, 4, 2), 2)).toEqual(
      [
        [1, 2, 0, 0],
        [0, 0, 3, 1],
        [1, 2, 3, 1],
        [2, 4, 0, 0],
      ].flat(),
    );
  });

  it('keeps the strongest directions of a matrix of higher rank', () => {
    const rows = [aSparseRow({ 0: 30 }), aSparseRow({ 1: 0.1 }), aSparseRow({ 2: 20 })];
    expect(thereAndBack(rows, dominantRowSpace(rows, 3, 2), 2)).toEqual([30, 0, 0, 0, 0, 0, 0, 0, 20]);
  });

  it('leaves columns beyond the rank of the matrix at zero', () => {
    const basis = dominantRowSpace(rankTwo, 4, 4);
    expect(basis.filter((_, i) => i % 4 >= 2)).toEqual(new Float32Array(8));
  });

  it.each<[string, SparseRow[], number, number]>([
    ['no rows', [], 3, 0],
    ['no columns', [], 0, 0],
    ['rows of zeros', [aSparseRow({}), aSparseRow({})], 2, 4],
  ])('is zero or empty for %s', (_, rows, columnCount, length) => {
    const rank = Math.min(rows.length, columnCount);
    expect(dominantRowSpace(rows, columnCount, rank)).toEqual(new Float32Array(length));
  });
});
