/** A search term and its weight. */
export interface WeighedTerm {
  readonly term: string;
  /** The value of `okapiWeight`, times `times`. */
  readonly weight: number;
  /** Number of times that the term counts; 1 unless the question repeats it. */
  readonly times: number;
}

/** A search term and its statistics. */
interface CountedTerm {
  readonly term: string;
  /** Number of sections that contain it. */
  readonly found: number;
  /** Number of occurrences in the question. */
  readonly asked: number;
}

/** Weight of a term that is in half of the rows or more. */
const LEAST_WEIGHT = 1e-6;
/** Maximum terms of a question; those with the highest weight are kept. */
const MAX_TERMS = 24;
/** Maximum number of times that a repeated term counts. */
const MAX_TIMES = 3;

/** Inverse document frequency as FTS5 computes it: ln((N - n + 0.5) / (n + 0.5)), for n of N rows; always above 0. */
export function okapiWeight(found: number, rows: number): number {
  return Math.max(LEAST_WEIGHT, Math.log((rows - found + 0.5) / (found + 0.5)));
}

/** Inverse document frequency as Lucene computes it: ln(1 + (N - n + 0.5) / (n + 0.5)), highest for n = 0 sections. */
export function inverseFrequency(found: number, sectionCount: number): number {
  return Math.log(1 + (sectionCount - found + 0.5) / (found + 0.5));
}

/**
 * The terms to search for, the most telling first. Terms in half of the rows or more count only if there are no others.
 * A term that the question repeats counts more often, as in BM25 with a query term frequency.
 */
export function weighTerms(terms: readonly CountedTerm[], rows: number): WeighedTerm[] {
  const known = terms.filter(({ found }) => found > 0);
  const rare = known.filter(({ found }) => okapiWeight(found, rows) > LEAST_WEIGHT);
  const weighed = (rare.length > 0 ? rare : known).map(({ term, found, asked }) => {
    const times = rare.length > 0 ? Math.min(asked, MAX_TIMES) : 1;
    return { term, weight: times * okapiWeight(found, rows), times };
  });
  return weighed.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, MAX_TERMS);
}

const TERM = /^[\p{L}\p{M}\p{N}＋＃]+$/u;

/** The phrases that can be in the index. */
export function plainPhrases(phrases: readonly (readonly string[])[]): (readonly string[])[] {
  return phrases.filter((phrase) => phrase.length > 0 && phrase.every((term) => TERM.test(term)));
}

/** Scale of scores: raises the scores of a question whose words are all very frequent. */
export function scoreScale(terms: readonly WeighedTerm[]): number {
  return terms.every(({ weight }) => weight === LEAST_WEIGHT) ? 0.1 / LEAST_WEIGHT : 1;
}
