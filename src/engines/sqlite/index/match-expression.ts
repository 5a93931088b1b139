import type { WeighedTerm } from '../../../kb/search/weigh-terms.js';

/** k1 + 1 with k1 = 1.2. The BM25 score of a term is always less than this times its weight. */
const MOST_PER_WEIGHT = 2.2;

/** Estimates a score that good rows often reach; found by measurement. A better estimate makes the search faster. */
export function expectedScore(terms: readonly WeighedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Matches rows with any of the terms or phrases. FTS5 scores every mention of a term, so a term that counts twice is
 * named twice. Terms contain only letters and digits, so quoting them is enough.
 */
export function anyOf(terms: readonly WeighedTerm[], phrases: readonly (readonly string[])[] = []): string {
  const named = terms.flatMap(({ term, times }) => Array.from({ length: times }, () => term));
  return [...named, ...phrases.map((phrase) => phrase.join(' '))].map((words) => `"${words}"`).join(' OR ');
}

/** Starts with `first` and adds the most frequent other terms while all of them together cannot reach the score. */
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
 * Builds an expression that matches every row with at least this score. If a set of terms cannot reach the score even
 * together, a clause requires one of the other terms; each term gives one such set (MaxScore, Turtle and Flood 1995).
 * @param terms  rarest first
 * @returns null if every row with any of the terms could reach the score
 */
export function canReach(terms: readonly WeighedTerm[], score: number): string | null {
  const clauses = terms.toReversed().flatMap((first) => {
    if (first.weight * MOST_PER_WEIGHT >= score) return [];
    const weak = tooWeak(first, terms, score);
    return [anyOf(terms.filter((term) => !weak.has(term)))];
  });
  // An empty clause means that no row can reach the score; then the expression would be useless.
  if (clauses.length === 0 || clauses.includes('')) return null;
  return [...new Set(clauses)].map((clause) => `(${clause})`).join(' AND ');
}
