import type { Ranked } from './explain-hits.js';
import { fillPerDocument } from './limit-per-document.js';
import { Repetitions } from './same-elsewhere.js';
import { scoreHits } from './score-hits.js';
import type { Cosines, Hit, HitScore, Scoring, TitleMemo } from './score-hits.js';
import type {
  Candidate,
  CollapseRules,
  SearchTimings,
  SectionQuery,
  StoredSection,
} from '../../core/ports/section-index.port.js';

/** Fetched for each section wanted, so that a document with many matches leaves room for others. */
const OVERFETCH = 4;
/** As many as vectors are compared of, so that the order does not depend on how many are asked for. */
const MIN_FETCH = 80;
/** No search looks at more hits. */
export const MAX_FETCH = 1_000;

/** How many hits to look at first where so many sections are wanted. */
export function fetchFor(limit: number): number {
  return Math.min(MAX_FETCH, Math.max(MIN_FETCH, limit * OVERFETCH));
}

/** What ranks hits and thins them out. */
export interface Ranking {
  readonly query: SectionQuery;
  readonly scoring: Scoring;
  /** Terms of titles that are known already. */
  readonly titles: TitleMemo;
  /** What the manifest says of the keys that documents differ in. */
  readonly collapse: CollapseRules;
  /** Whether these are all hits. Then the limit for one document may rise: further hits are of no other document. */
  readonly isLast?: boolean;
}

/** Ranked hits, the limit for one document, and how many hits were over it. */
export type RankedFound = Ranked & { readonly perDocument: number; readonly sameDocument: number };

/** Reads the best hits; of variants of one text, and of versions of one section, only the best. */
function readCandidates<T extends Hit & HitScore>(
  hits: readonly T[],
  limit: number,
  repetitions: Repetitions,
  read: (hit: T) => StoredSection,
): Pick<Ranked, 'candidates' | 'repeated'> {
  const candidates: Candidate[] = [];
  const repeated = new Map<string, string>();
  for (const hit of hits) {
    if (candidates.length >= limit) break;
    const { score, lexical, vector, shares, recalled } = hit;
    const only = recalled ? { recalled } : {};
    const candidate = { ...read(hit), score, lexical, vector, shares, ...only };
    const shown = repetitions.shownFor(candidate);
    if (shown) repeated.set(hit.sectionId, shown.section.id);
    else candidates.push(candidate);
  }
  return { candidates, repeated };
}

/**
 * Ranks hits, and makes candidates of the best: not too many of one document, and nothing twice.
 * @param hits  best BM25 first
 * @param cosines  of the first of them
 * @param read  called for as few hits as possible
 */
export function rankFound<T extends Hit>(
  hits: readonly T[],
  cosines: Cosines,
  { query, scoring, titles, collapse, isLast = false }: Ranking,
  read: (hit: T) => StoredSection,
): RankedFound {
  const scored = scoreHits(hits, cosines, scoring, titles);
  const limit = { perDocument: query.perDocument, fillTo: isLast ? (query.fillTo ?? 0) : 0 };
  const { left, made, perDocument } = fillPerDocument(scored, limit, {
    documentOf: ({ documentId }) => documentId,
    make: (spread) => readCandidates(spread, query.limit, new Repetitions(collapse, true), read),
    countOf: ({ candidates }) => candidates.length,
  });
  return { ...made, scored, perDocument, sameDocument: scored.length - left.length };
}

/** Whether no further hits are needed: as many candidates as wanted, or everything that was found. */
export function isEnough({ candidates, scored }: Ranked, limit: number): boolean {
  return candidates.length >= limit || candidates.length === scored.length;
}

/** Adds the time since it was last asked to a stage. */
export function stopwatch(
  timings: Record<keyof SearchTimings, number>,
): (stage: keyof SearchTimings) => void {
  let last = performance.now();
  return (stage) => {
    const now = performance.now();
    timings[stage] += now - last;
    last = now;
  };
}

/** Best first; equal scores by section id. */
export function byLexicalThenId(a: Hit, b: Hit): number {
  return b.lexical - a.lexical || (a.sectionId < b.sectionId ? -1 : 1);
}
