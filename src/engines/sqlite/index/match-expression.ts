import type { WeighedTerm } from '../../../kb/search/weigh-terms.js';

/** BM25 with k1 = 1.2 gives a term less than k1 + 1 times its weight, however often it occurs. */
const MOST_PER_WEIGHT = 2.2;

/** A score that good rows often reach: the better the guess, the fewer rows are looked at. Measured, not exact. */
export function expectedScore(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** Rows with any of the terms or phrases. Terms hold letters and digits only, so quoting them is enough. */
export function anyOf(terms: readonly WeighedTerm[], phrases: readonly (readonly string[])[] = []): string {
  return [...terms.map(({ term }) => term), ...phrases.map((phrase) => phrase.join(' '))]
    .map((words) => `"${words}"`)
    .join(' OR ');
}

/** `first` and the most frequent others, as long as they could not reach the score together. */
function tooWeak(first: WeighedTerm, terms: readonly WeighedTerm[], score: number): ReadonlySet<WeighedTerm> {
  const set = new Set([first]);
  let most = first.weight * MOST_PER_WEIGHT;
  for (const other of terms.toReversed()) {
    most += set.has(other) ? 0 : other.weight * MOST_PER_WEIGHT;
    if (most >= score) break;
    set.add(other);
  }
  return set;
}

/**
 * Expression that a row must match to reach a score: where some terms are too weak together, it needs another one
 * (MaxScore, Turtle and Flood 1995, said once for each term).
 * @param terms  rarest first
 * @returns null when every row with any of the terms could reach it
 */
export function canReach(terms: readonly WeighedTerm[], score: number): string | null {
  const clauses = terms.toReversed().flatMap((first) => {
    if (first.weight * MOST_PER_WEIGHT >= score) return [];
    const weak = tooWeak(first, terms, score);
    return [anyOf(terms.filter((term) => !weak.has(term)))];
  });
  // With no other term left, no row reaches the score: then it was no use asking.
  if (clauses.length === 0 || clauses.includes('')) return null;
  return [...new Set(clauses)].map((clause) => `(${clause})`).join(' AND ');
}
