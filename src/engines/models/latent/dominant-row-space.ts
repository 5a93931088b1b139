import { orthonormalise } from './orthonormalise.js';
import { randomSigns } from './random-signs.js';
import { multiply, type SparseRow, transpose } from './sparse-rows.js';

// An arbitrary fixed seed: the basis is the same in every run.
const SEED = 7;

// Each round multiplies by Aᵀ A once. More rounds did not improve retrieval on four collections.
const ROUNDS = 2;

/**
 * The `rank` directions in which the rows of a sparse matrix vary most, by randomised subspace iteration
 * (Halko, Martinsson and Tropp, SIAM Review 2011, algorithms 4.4 and 5.1):
 *
 *     X ← random signs;   twice:  X ← orthonormal columns of Aᵀ (A X)
 *
 * X spans the same space as the leading right singular vectors. It differs from them by a rotation, which does not
 * change inner products of projected rows; so the last step of an SVD, the small eigenproblem, is not needed.
 * @returns dense, `columnCount` × `rank`; columns orthonormal, or zero beyond the matrix's own rank
 */
export function dominantRowSpace(
  rows: readonly SparseRow[],
  columnCount: number,
  rank: number,
): Float32Array {
  const columns = transpose(rows, columnCount);
  let basis = randomSigns(columnCount * rank, SEED);
  for (let round = 0; round < ROUNDS; round++) {
    basis = multiply(columns, multiply(rows, basis, rank), rank);
    orthonormalise(basis, rank);
  }
  return basis;
}
