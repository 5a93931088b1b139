import type { RankedBy, SearchAnswer } from '../../core/ports/section-index.port.js';
import { searchTerms } from '../../text/search-terms.js';
import { isStopTerm } from '../../text/stop-words.js';

/** A section that matched, without its text. */
export interface Hit {
  readonly sectionId: string;
  /** Identifies the document within the engine. */
  readonly documentId: number | string;
  readonly title: string;
  /** Okapi BM25, rounded to four places. */
  readonly lexical: number;
  /** Only its vector found it: it holds no word of the question. */
  readonly recalled?: boolean;
}

/** Score of a hit, and how it came about. */
export interface HitScore {
  readonly score: number;
  readonly vector: number | null;
  /** Contribution of each signal to the score. */
  readonly shares: Readonly<Record<string, number>>;
}

/** A section that matched, ranked. */
export type ScoredHit = Hit & HitScore;

/** Parameters of scoring. */
export interface Scoring {
  readonly terms: readonly string[];
  readonly rankedBy: RankedBy;
  /** The embedder's weight, where the words have 1; 0 where the question has no vector. */
  readonly vectorWeight: number;
  /** Number of first hits that are ranked by more than their words; 80 unless vectors found some, too. */
  readonly compared?: number;
}

/** Cosines of hits, in their order; null where there is nothing to compare. */
export type Cosines = readonly (number | null)[];

/**
 * A section whose whole title is asked for is probably the one: this weighs the share of the title's words that are in
 * the question. From .1 to .2 nothing changes much; without it HotpotQA loses .015 nDCG@10 and the documentation
 * questions 4 points of the right section among the first three.
 */
const TITLE_WEIGHT = 0.15;
/** Vectors rank the best of the lexical ranking anew; 60, 100 and 200 gave the same figures. */
export const COMPARED = 80;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Some 2 MB; an index may have any number of titles. */
const MAX_TITLES = 10_000;

/** The telling terms of titles; many sections have the same one. */
export type TitleMemo = Map<string, readonly string[]>;

function titleTerms(title: string, memo: TitleMemo): readonly string[] {
  const known = memo.get(title) ?? [...new Set(searchTerms(title))].filter((term) => !isStopTerm(term));
  memo.set(title, known);
  return known;
}

function titleShare(title: string, asked: ReadonlySet<string>, memo: TitleMemo): number {
  const terms = titleTerms(title, memo);
  return terms.length === 0 ? 0 : terms.filter((term) => asked.has(term)).length / terms.length;
}

/** How `scoreHits` adds signals up. */
export function fusionOf({ vectorWeight }: Scoring): SearchAnswer['fusion'] {
  return { method: 'convex_combination', params: { words: 1, title: TITLE_WEIGHT, vector: vectorWeight } };
}

/** From the smallest to the largest of the values, as 0 to 1. */
function shareWithin(values: readonly number[]): (value: number) => number {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return (value) => (range === 0 ? 0 : (value - least) / range);
}

/** Best BM25 first; equal scores by section id. */
export function byLexicalThenId(a: Hit, b: Hit): number {
  return b.lexical - a.lexical || (a.sectionId < b.sectionId ? -1 : 1);
}

/** Best first; equal scores by section id. */
export function byScoreThenId(a: ScoredHit, b: ScoredHit): number {
  return b.score - a.score || (a.sectionId < b.sectionId ? -1 : 1);
}

/** Compares the vectors of the best hits with the question's. */
export function compareHits<T extends Hit>(
  hits: readonly T[],
  { rankedBy, compared = COMPARED }: Scoring,
  cosineOf: (hit: T) => number | null,
): Cosines {
  return rankedBy === 'lexical' ? [] : hits.slice(0, compared).map((hit) => cosineOf(hit));
}

/**
 * Ranks hits by a convex combination of signals, each as a share of its best (Bruch, Gai and Ingber, 2023, found it
 * better than reciprocal ranks, and so did we): words 1, vectors as much as their embedder is worth, the title .15.
 * @param hits  best BM25 first
 * @param cosines  of the first of them
 * @returns best first; equal scores by section id
 */
export function scoreHits<T extends Hit>(
  hits: readonly T[],
  cosines: Cosines,
  scoring: Scoring,
  memo: TitleMemo = new Map(),
): (T & HitScore)[] {
  const { terms, rankedBy, vectorWeight, compared = COMPARED } = scoring;
  const asked = new Set(terms);
  if (memo.size > MAX_TITLES) memo.clear();
  // A word of nearly half of a large index can come to 0 in four places.
  const best = hits[0]?.lexical || 1;
  const byVector = rankedBy === 'vector' && cosines.some((cosine) => cosine !== null);
  const toShare = shareWithin(cosines.filter((cosine) => cosine !== null));
  const scored = hits.map((hit, i): T & HitScore => {
    const vector = cosines[i] ?? null;
    const closeness = vector === null ? 0 : toShare(vector);
    const words = hit.lexical / best;
    const title = i < compared ? TITLE_WEIGHT * titleShare(hit.title, asked, memo) : 0;
    return {
      ...hit,
      vector: vector === null ? null : round(vector),
      score: round(byVector ? closeness : words + title + vectorWeight * closeness),
      shares: byVector
        ? { vector: round(closeness) }
        : { words: round(words), title: round(title), vector: round(vectorWeight * closeness) },
    };
  });
  return scored.sort(byScoreThenId);
}
