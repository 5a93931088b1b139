import { dominantRowSpace } from './dominant-row-space.js';
import { type QuantisedRows, quantiseRows } from './quantised-rows.js';
import { addWeightedRows } from './sparse-rows.js';
import { buildVocabulary, type LatentVocabulary, scaleToUnit, weighText } from './vocabulary.js';

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
