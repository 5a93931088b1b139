import { FIELD_WEIGHTS, termShare } from '../../../kb/search/bm25.js';
import type { FieldTerms } from '../../../text/section-terms.js';

/** A sparse vector as Qdrant takes it. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/**
 * Where a term stands in sparse vectors: 32 bits of a hash (FNV-1a, then the finaliser of MurmurHash3), so that no list
 * of terms has to be kept in step with the points. In an index of 200,000 terms a word of a question shares its place
 * with another one about once in 20,000 words.
 */
export function termIndex(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(term, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Any of the terms, each as good as another: what they weigh is Qdrant's to say. */
export function askForTerms(terms: readonly string[]): SparseVector {
  const indices = [...new Set(terms.map(termIndex))];
  return { indices, values: indices.map(() => 1) };
}

/** Terms of a section, over all its fields. */
export function lengthOf({ title, headings, file, body }: FieldTerms): number {
  return title.length + headings.length + file.length + body.length;
}

/**
 * Two significant digits of an average: every weight of every section depends on it, and a corpus that grows by a page
 * should not change them all.
 */
export function roundedAverage(average: number): number {
  return Number(average.toPrecision(2));
}

/** A section's terms, each with what it adds to the section's BM25 score where the term weighs 1. */
export function weighSection(terms: FieldTerms, averageLength: number): SparseVector {
  const frequencies = new Map<number, number>();
  for (const field of ['title', 'headings', 'file', 'body'] as const) {
    for (const term of terms[field]) {
      const index = termIndex(term);
      frequencies.set(index, (frequencies.get(index) ?? 0) + FIELD_WEIGHTS[field]);
    }
  }
  const length = lengthOf(terms);
  const sorted = [...frequencies].sort(([a], [b]) => a - b);
  return {
    indices: sorted.map(([index]) => index),
    // Qdrant keeps four bytes of it.
    values: sorted.map(([, frequency]) => Math.fround(termShare(frequency, length, averageLength))),
  };
}
