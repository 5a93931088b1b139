/** A search term and its weight. */
export interface WeighedTerm {
  readonly term: string;
  /** Inverse document frequency as FTS5's bm25() has it; > 0. */
  readonly weight: number;
}

/** Weight of a term that half of the rows or more hold. */
const LEAST_WEIGHT = 1e-6;
/** A long question asks for its rarest terms only. */
const MAX_TERMS = 24;

/**
 * Weight of a term in BM25 as FTS5 computes it: ln((N - n + 0.5) / (n + 0.5)), never 0 or below.
 * @param found  rows that hold the term
 * @param rows  all rows
 */
export function okapiWeight(found: number, rows: number): number {
  return Math.max(LEAST_WEIGHT, Math.log((rows - found + 0.5) / (found + 0.5)));
}

/**
 * Inverse document frequency as Lucene computes it: ln(1 + (N - n + 0.5) / (n + 0.5)). A term in no section weighs most.
 * @param found  sections that hold the term
 */
export function inverseFrequency(found: number, sectionCount: number): number {
  return Math.log(1 + (sectionCount - found + 0.5) / (found + 0.5));
}

/**
 * The terms worth asking for, rarest first: terms that occur, but in less than half of the rows; where there are none,
 * also the more frequent ones.
 */
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

/** Characters of a term of the index. */
const TERM = /^[\p{L}\p{M}\p{N}＋＃]+$/u;

/** The phrases that a section could hold. */
export function plainPhrases(phrases: readonly (readonly string[])[]): (readonly string[])[] {
  return phrases.filter((phrase) => phrase.length > 0 && phrase.every((term) => TERM.test(term)));
}

/** Scale of scores: words that occur everywhere weigh next to nothing, but have to rank where there are no others. */
export function scoreScale(terms: readonly WeighedTerm[]): number {
  return terms.every(({ weight }) => weight === LEAST_WEIGHT) ? 0.1 / LEAST_WEIGHT : 1;
}
