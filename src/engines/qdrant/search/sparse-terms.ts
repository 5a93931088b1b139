import { FIELD_WEIGHTS, termShare } from '../../../kb/search/bm25.js';
import type { FieldTerms } from '../../../text/terms/section-terms.js';

/** A sparse vector in Qdrant's format. */
export interface SparseVector {
  readonly indices: number[];
  readonly values: number[];
}

/**
 * The index of a term in sparse vectors: a hash of 32 bits (FNV-1a, then the finaliser of MurmurHash3), so no list of
 * terms has to match the points. With 200,000 terms, about one word of a question in 20,000 shares its index with
 * another term.
 */
export function termIndex(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(term, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The query for sections with any of the terms; a repeated term counts more often. Qdrant applies their weights (IDF). */
export function askForTerms(terms: readonly string[]): SparseVector {
  const times = new Map<number, number>();
  for (const index of terms.map(termIndex)) times.set(index, (times.get(index) ?? 0) + 1);
  return { indices: [...times.keys()], values: [...times.values()] };
}

/** Number of terms in all fields of a section. */
export function lengthOf({ title, headings, file, body }: FieldTerms): number {
  return title.length + headings.length + file.length + body.length;
}

/** Rounds to two significant digits: all weights depend on the average, and one more page should not change them. */
export function roundedAverage(average: number): number {
  return Number(average.toPrecision(2));
}

/** The terms of a section, each with its contribution to the BM25 score for a term weight of 1. */
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
    // Qdrant stores float32.
    values: sorted.map(([, frequency]) => Math.fround(termShare(frequency, length, averageLength))),
  };
}

function countIn(terms: readonly string[], phrase: readonly string[]): number {
  let count = 0;
  for (let at = terms.indexOf(phrase[0] ?? ''); at >= 0; at = terms.indexOf(phrase[0] ?? '', at + 1)) {
    if (phrase.every((term, i) => terms[at + i] === term)) count++;
  }
  return count;
}

/** The occurrences of a phrase within single fields of a section, weighted by field. */
export function phraseFrequency(terms: FieldTerms, phrase: readonly string[]): number {
  const fields = ['title', 'headings', 'file', 'body'] as const;
  return fields.reduce((sum, field) => sum + FIELD_WEIGHTS[field] * countIn(terms[field], phrase), 0);
}
