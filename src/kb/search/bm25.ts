/**
 * Weights of the fields in Okapi BM25, with the formula of FTS5, so that all engines score like the index file. Other
 * weights made hardly any difference, but without title and headings whole pages were not found.
 */
export const FIELD_WEIGHTS = { title: 2, headings: 2, file: 1, body: 1 } as const;

export const K1 = 1.2;
export const B = 0.75;

/** The contribution of a term of weight 1 to a section's score is below this. */
export const MAX_SHARE = K1 + 1;

/**
 * Contribution of a term of weight 1 to a section's score, from 0 to below 2.2.
 * @param frequency  number of occurrences, each multiplied by the weight of its field
 * @param length  number of terms in the section
 * @param averageLength  of all sections; 0 if there are none
 */
export function termShare(frequency: number, length: number, averageLength: number): number {
  return (frequency * MAX_SHARE) / (frequency + saturation(length, averageLength));
}

/** The inverse of `termShare`. Frequencies are whole numbers, because the field weights are. */
export function shareFrequency(share: number, length: number, averageLength: number): number {
  return Math.round((share * saturation(length, averageLength)) / (MAX_SHARE - share));
}

/** The frequency that gives a term of weight 1 half of the highest contribution. */
export function saturation(length: number, averageLength: number): number {
  const relative = averageLength > 0 ? length / averageLength : 1;
  return K1 * (1 - B + B * relative);
}

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
const MIN_WEIGHT = 1e-6;
/** Maximum terms of a question; those with the highest weight are kept. */
const MAX_TERMS = 24;
/** Maximum number of times that a repeated term counts. */
const MAX_TIMES = 3;

/** Inverse document frequency as FTS5 computes it: ln((N - n + 0.5) / (n + 0.5)), for n of N rows; always above 0. */
export function okapiWeight(found: number, rows: number): number {
  return Math.max(MIN_WEIGHT, Math.log((rows - found + 0.5) / (found + 0.5)));
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
  const rare = known.filter(({ found }) => okapiWeight(found, rows) > MIN_WEIGHT);
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
  return terms.every(({ weight }) => weight === MIN_WEIGHT) ? 0.1 / MIN_WEIGHT : 1;
}
