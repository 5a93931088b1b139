import { orthonormalise } from './orthonormalise.js';
import { type QuantisedRows, quantiseRows } from './quantised-rows.js';
import { addWeightedRows, multiply, type SparseRow, transpose } from './sparse-rows.js';
import { buildVocabulary, type LatentVocabulary, scaleToUnit, weighText } from './vocabulary.js';

/**
 * Random +1 and -1 from a seeded generator (mulberry32, Tommy Ettinger, public domain), the same on every machine.
 * To start a randomised factorisation, signs work as well as normal deviates and need no logarithm or cosine.
 * @param seed  any integer; only its lower 32 bits are used
 */
export function randomSigns(length: number, seed: number): Float32Array {
  const signs = new Float32Array(length);
  let state = seed >>> 0;
  for (let i = 0; i < length; i++) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    signs[i] = ((mixed ^ (mixed >>> 14)) & 1) === 0 ? -1 : 1;
  }
  return signs;
}

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

/** Increase it when the same sections give another space, or the same terms another vector. Versions don't mix. */
export const LATENT_VERSION = 1;

/** Number of components. 64, 96 and 128 rank 1,400 to 5,200 sections equally well; 96 is a reserve for larger ones. */
export const LATENT_DIMENSIONS = 96;

// The most frequent terms. Rarer ones are in very few sections, where lexical search works better.
const MAX_TERMS = 16_000;

/**
 * A latent semantic space (Deerwester et al., 1990): a vector for each term. Texts are close to each other when their
 * terms co-occur with the same terms in the corpus, even if they share no term.
 */
export interface LatentSpace extends LatentVocabulary {
  /** Components of every vector; at most the number of sections and of terms; 0 in an empty space. */
  readonly dimensions: number;
  /** vocabulary × dimensions; multiplied by the terms' weights. */
  readonly basis: QuantisedRows;
}

/**
 * Fits a space on sections. The same sections in the same order give the same bytes; the order of terms within a
 * section does not matter. `Math.log` may differ in its last bit between JavaScript engines, but rounding removes that.
 * @param sections  the stems of each section, with repeats
 * @param dimensions  components of a vector, 1 or more; cost and size grow with it
 */
export function fitLatentSpace(
  sections: readonly (readonly string[])[],
  dimensions: number = LATENT_DIMENSIONS,
): LatentSpace {
  const vocabulary = buildVocabulary(sections, MAX_TERMS);
  const rows = sections.map((terms) => weighText(vocabulary, terms)).filter((row) => row.columns.length > 0);
  const termCount = vocabulary.rowOf.size;
  const rank = Math.min(dimensions, rows.length, termCount);
  const basis = quantiseRows(dominantRowSpace(rows, termCount, rank), rank);
  return { ...vocabulary, dimensions: rank, basis };
}

/**
 * Embeds a text in a space.
 * @param terms  its stems, with repeats, in any order; for a query without stop words
 * @returns a unit vector; all zero if no term is known
 */
export function embedTerms(space: LatentSpace, terms: Iterable<string>): Float32Array {
  const { columns, values } = weighText(space, terms);
  const { codes, scales } = space.basis;
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) * (scales[columns[i] ?? 0] ?? 0);
  const sum = new Float64Array(space.dimensions);
  addWeightedRows(sum, codes, { columns, values });
  const vector = new Float32Array(sum);
  scaleToUnit(vector);
  return vector;
}
