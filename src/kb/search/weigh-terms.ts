/** A search term and its weight. */
export interface WeighedTerm {
  readonly term: string;
  /** The value of `okapiWeight`. */
  readonly weight: number;
}

/** Weight of a term that is in half of the rows or more. */
const LEAST_WEIGHT = 1e-6;
/** Maximum terms of a question; the rarest are kept. */
const MAX_TERMS = 24;

/** Inverse document frequency as FTS5 computes it: ln((N - n + 0.5) / (n + 0.5)), for n of N rows; always above 0. */
export function okapiWeight(found: number, rows: number): number {
  return Math.max(LEAST_WEIGHT, Math.log((rows - found + 0.5) / (found + 0.5)));
}

/** Inverse document frequency as Lucene computes it: ln(1 + (N - n + 0.5) / (n + 0.5)), highest for n = 0 sections. */
export function inverseFrequency(found: number, sectionCount: number): number {
  return Math.log(1 + (sectionCount - found + 0.5) / (found + 0.5));
}

/** The terms to search for, rarest first. Terms in half of the rows or more count only if there are no others. */
export function weighTerms(
  terms: readonly string[],
  frequency: Readonly<Record<string, number>>,
  rows: number,
): WeighedTerm[] {
  const weighed = terms.flatMap((term) => {
    const found = frequency[term] ?? 0;
    return found > 0 ? [{ term, weight: okapiWeight(found, rows) }] : [];
  });
  const sorted = weighed.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  const telling = sorted.filter(({ weight }) => weight > LEAST_WEIGHT);
  return (telling.length > 0 ? telling : sorted).slice(0, MAX_TERMS);
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
