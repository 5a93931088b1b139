import { dominantRowSpace } from './dominant-row-space.js';
import { quantiseRows } from './quantised-rows.js';
import type { QuantisedRows } from './quantised-rows.js';
import { addWeightedRows } from './sparse-rows.js';
import { buildVocabulary, scaleToUnit, weighText } from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** Bump when the same sections give another space or the same terms another vector; two versions don't mix. */
export const LATENT_VERSION = 1;

/**
 * Components of a vector unless asked otherwise. 64, 96 and 128 rank alike on collections of 1,400 to 5,200 sections;
 * the middle leaves room for larger ones.
 */
export const LATENT_DIMENSIONS = 96;

/**
 * Sections that a space is fitted on, at most. A sample of 2,000 of 5,183 ranks as all of them do; 6,000 take
 * about .4 s and hold rarer terms.
 */
export const MAX_FITTED_SECTIONS = 6000;

// The 16,000 most frequent; a term beyond them is in very few sections, and words find it better.
const MAX_TERMS = 16_000;

// Below about 50 documents too few words occur together for their company to tell anything (measured).
const FEWEST_DOCUMENTS = 50;

/** What a space is made with. */
export interface LatentOptions {
  /** Components of a vector, 1 or more; cost and size grow with it. Default `LATENT_DIMENSIONS`. */
  readonly dimensions?: number;
  /** Terms in the vocabulary, at most, 1 or more; the most frequent stay. Default 16,000. */
  readonly maxTerms?: number;
}

/**
 * A latent semantic space (Deerwester et al., 1990): where in it each term points. Texts lie close together when
 * their terms keep the same company in the corpus, whether they share terms or not.
 */
export interface LatentSpace extends Vocabulary {
  /** Components of every vector; fewer than asked for where sections or terms are fewer; 0 in an empty space. */
  readonly dimensions: number;
  /** vocabulary × dimensions; what the terms' weights are multiplied with. */
  readonly basis: QuantisedRows;
}

/** Whether a corpus is large enough for a latent space to help. */
export function isWorthFitting(documentCount: number): boolean {
  return documentCount >= FEWEST_DOCUMENTS;
}

/**
 * Whether a section belongs to the even sample of at most `MAX_FITTED_SECTIONS` that a space is fitted on.
 * @param position  from 0, in an order that stays the same: by id
 */
export function isFitted(position: number, sectionCount: number): boolean {
  if (sectionCount <= MAX_FITTED_SECTIONS) return true;
  const sampled = (before: number): number => Math.ceil((before * MAX_FITTED_SECTIONS) / sectionCount);
  return sampled(position + 1) > sampled(position);
}

/**
 * Fits a space on sections. The same sections in the same order give the same bytes, whatever the order of terms
 * within them. `Math.log` is the only function whose last bit an engine may choose; rounding takes that up.
 * @param sections  the stems of each, with repeats; all of them are used, see `isFitted`
 */
export function fitLatentSpace(
  sections: readonly (readonly string[])[],
  { dimensions = LATENT_DIMENSIONS, maxTerms = MAX_TERMS }: LatentOptions = {},
): LatentSpace {
  const vocabulary = buildVocabulary(sections, maxTerms);
  const rows = sections.map((terms) => weighText(vocabulary, terms)).filter((row) => row.columns.length > 0);
  const termCount = vocabulary.rowOf.size;
  const rank = Math.min(dimensions, rows.length, termCount);
  const basis = quantiseRows(dominantRowSpace(rows, termCount, rank), rank);
  return { ...vocabulary, dimensions: rank, basis };
}

/**
 * Where a text lies in a space.
 * @param terms  its stems, with repeats, in any order; a query's stop words left out
 * @returns of length 1; all zero when no term is known
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
