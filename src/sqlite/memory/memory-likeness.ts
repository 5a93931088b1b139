import type { EmbeddingSpace } from '../../core/ports/embedder.port.js';
import type { MemoryQuery } from '../../core/ports/memory-store.port.js';
import { addWord } from '../index/word-postings.js';
import { bucketWeight, hashWords, WORD_DIMENSIONS, type WordFrequencies } from '../latent/hashed-words.js';
import { similarities } from '../latent/packed-vector.js';
import type { MemoryColumns } from './memory-columns.js';
import { WORD_SHARE } from './memory-space.js';

const DAY_MS = 86_400_000;

/** Number of comparable rows with each word. Private rows never count: scores must not reveal their content. */
export class WordCounts implements WordFrequencies {
  texts = 0;
  readonly byBucket = new Uint32Array(WORD_DIMENSIONS);

  add({ count, isComparable, isPrivate, words }: MemoryColumns): void {
    for (let row = 0; row < count; row++) this.texts += isPrivate[row] === 0 ? (isComparable[row] ?? 0) : 0;
    for (const [bucket, list] of words.listOf) {
      let open = 0;
      const end = words.starts[list + 1] ?? 0;
      for (let i = words.starts[list] ?? 0; i < end; i++) open += 1 - (isPrivate[words.rows[i] ?? 0] ?? 0);
      this.byBucket[bucket] = (this.byBucket[bucket] ?? 0) + open;
    }
  }
}

/**
 * The factor of each word of a question: its weight in the question times its inverse frequency in rows, normalised.
 * Multiplied by the word's weight in a row, it gives the word's share of the cosine. A word that no row contains
 * makes the question vector longer, and so lowers all scores.
 */
function wordFactors(terms: readonly string[], counts: WordFrequencies) {
  const { buckets, weights } = hashWords(terms);
  const frequencies = Array.from(buckets, (bucket) => bucketWeight(counts, bucket));
  const squares = frequencies.reduce((sum, idf, i) => sum + (idf * (weights[i] ?? 0)) ** 2, 0);
  const length = Math.sqrt(squares) || 1;
  return frequencies.map((idf, i) => ({
    bucket: buckets[i] ?? 0,
    factor: ((weights[i] ?? 0) * idf * idf) / length,
  }));
}

/** The cosine of a question with each row, -1 to 1; values of rows that are not comparable are meaningless. */
type Likeness = (columns: MemoryColumns) => Float64Array;

/** Prepares a question for comparison with rows. @param latent  null if the space has only the word part */
export function likenessOf(
  terms: readonly string[],
  { counts, latent }: { readonly counts: WordFrequencies; readonly latent: EmbeddingSpace | null },
): Likeness {
  const factors = wordFactors(terms, counts);
  const question = latent?.question(terms) ?? null;
  const share = latent ? WORD_SHARE : 1;
  return (columns) => {
    const sums = new Float64Array(columns.count);
    for (const word of factors) addWord(sums, columns.words, word);
    const company = new Float32Array(columns.count);
    if (question && columns.latent.length > 0) similarities(question, columns.latent, company);
    for (let row = 0; row < sums.length; row++) {
      const byWords = (sums[row] ?? 0) * (columns.inverseLength[row] ?? 0);
      const cosine = share * byWords + (1 - share) * (company[row] ?? 0);
      sums[row] = Math.max(-1, Math.min(1, cosine));
    }
    return sums;
  };
}

/** Prepares a question that a model has embedded; the result is the cosine of its vector with each row's vector. */
export function vectorLikeness(question: Float32Array): Likeness {
  return (columns) => {
    const cosines = new Float32Array(columns.count);
    if (columns.latent.length > 0) similarities(question, columns.latent, cosines);
    return Float64Array.from(cosines);
  };
}

/** The factor by which a row's age lowers its score: 1 for new rows, and for all rows without a half-life. */
export function recencyOf({ halfLifeDays, now }: MemoryQuery): (createdAt: number) => number {
  if (halfLifeDays === null) return () => 1;
  return (createdAt) => 0.5 ** (Math.max(0, now - createdAt) / DAY_MS / halfLifeDays);
}
