import type { MemoryQuery } from '../../inner-voice/memory-store.port.js';
import type { EmbeddingSpace } from '../../kb/embedder.port.js';
import { hashWords, inverseFrequency, WORD_DIMENSIONS } from '../embedding/hashed-words.js';
import type { WordFrequencies } from '../embedding/hashed-words.js';
import type { MemoryColumns } from './memory-columns.js';
import { WORD_SHARE } from './memory-space.js';

const DAY_MS = 86_400_000;

/** Counts in how many comparable rows each word occurs. */
export class WordCounts implements WordFrequencies {
  texts = 0;
  readonly byBucket = new Uint32Array(WORD_DIMENSIONS);

  add({ count, isComparable, words }: MemoryColumns): void {
    for (const comparable of isComparable) this.texts += comparable;
    // Rows of other spaces have no words here.
    if (count > 0)
      for (const bucket of words.buckets) this.byBucket[bucket] = (this.byBucket[bucket] ?? 0) + 1;
  }
}

/** Fills in how long each row's vector of words is. */
export function measureLengths(
  { count, wordStart, words, inverseLength }: MemoryColumns,
  counts: WordFrequencies,
): void {
  for (let row = 0; row < count; row++) {
    let squares = 0;
    for (let i = wordStart[row] ?? 0; i < (wordStart[row + 1] ?? 0); i++) {
      const value = (words.weights[i] ?? 0) * inverseFrequency(counts, words.buckets[i] ?? 0);
      squares += value * value;
    }
    inverseLength[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
}

/** The cosine of a question with rows of some columns. */
export type Likeness = (columns: MemoryColumns, row: number) => number;

/**
 * What the words of a question weigh, times what they weigh in a row: that is left to multiply with how often the row
 * says them. A word that no row says makes the question longer, and so less like all of them.
 */
function wordWeights(terms: readonly string[], counts: WordFrequencies): Map<number, number> {
  const { buckets, weights } = hashWords(terms);
  const frequencies = Array.from(buckets, (bucket) => inverseFrequency(counts, bucket));
  const squares = frequencies.reduce((sum, idf, i) => sum + (idf * (weights[i] ?? 0)) ** 2, 0);
  const length = Math.sqrt(squares) || 1;
  return new Map(
    frequencies.map((idf, i) => [buckets[i] ?? 0, ((weights[i] ?? 0) * idf * idf) / length] as const),
  );
}

/** Compares rows with questions; one at a time, since it keeps a table for them. */
export class MemoryLikeness {
  private readonly table = new Float64Array(WORD_DIMENSIONS);

  /**
   * Prepares a question for as long as `use` takes.
   * @param latent  the latent part of the space; null where words are all of it
   */
  compare<T>(
    terms: readonly string[],
    { counts, latent }: { readonly counts: WordFrequencies; readonly latent: EmbeddingSpace | null },
    use: (likeness: Likeness) => T,
  ): T {
    const weights = wordWeights(terms, counts);
    const latentCosine = latent?.compareWith(terms) ?? null;
    for (const [bucket, weight] of weights) this.table[bucket] = weight;
    const share = latent ? WORD_SHARE : 1;
    try {
      return use((columns, row) => {
        const vector = latentCosine ? (columns.latent[row] ?? null) : null;
        const byCompany = vector && latentCosine ? (1 - share) * latentCosine(vector) : 0;
        return Math.max(-1, Math.min(1, share * this.wordCosine(columns, row) + byCompany));
      });
    } finally {
      for (const bucket of weights.keys()) this.table[bucket] = 0;
    }
  }

  private wordCosine({ wordStart, words, inverseLength }: MemoryColumns, row: number): number {
    const { buckets, weights } = words;
    let sum = 0;
    const end = wordStart[row + 1] ?? 0;
    for (let i = wordStart[row] ?? 0; i < end; i++) {
      sum += (this.table[buckets[i] ?? 0] ?? 0) * (weights[i] ?? 0);
    }
    return sum * (inverseLength[row] ?? 0);
  }
}

/** By how much a row's age lowers its score: 1 for new rows and without a half-life. */
export function recencyOf({ halfLifeDays, now }: MemoryQuery): (createdAt: number) => number {
  if (halfLifeDays === null) return () => 1;
  return (createdAt) => 0.5 ** (Math.max(0, now - createdAt) / DAY_MS / halfLifeDays);
}
