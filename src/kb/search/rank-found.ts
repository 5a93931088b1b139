import type {
  Candidate,
  CollapseRules,
  SearchAnswer,
  SearchTimings,
  SectionQuery,
} from '../../core/ports/section-index.port.js';
import { explainHits, type Ranked } from './explain-hits.js';
import { ask, type Flow } from './flow.js';
import { fillPerDocument } from './limit-per-document.js';
import { mergeRecalled } from './merge-recalled.js';
import { Repetitions } from './same-elsewhere.js';
import {
  compareHits,
  type Hit,
  type HitScore,
  scoreHits,
  type Scoring,
  type TitleMemo,
} from './score-hits.js';
import type { EndStage, Look, Matches, SearchEngine, Sought } from './search-engine.js';

/** Sections fetched for each one wanted, so that a document with many matches leaves room for others. */
const OVERFETCH = 4;
/** Equal to the number of compared vectors, so that the order does not depend on the limit of the query. */
const MIN_FETCH = 80;
/** No search looks at more sections. */
const MAX_FETCH = 1_000;
const EVERYTHING: Look = { fetch: MAX_FETCH, isExact: true };

/** Rules by which hits are ranked and repetitions dropped. */
export interface RankingRules {
  readonly query: SectionQuery;
  readonly scoring: Scoring;
  /** Terms of titles that are known already. */
  readonly titles: TitleMemo;
  readonly collapse: CollapseRules;
}

/** The part of an answer that ranking gives. */
export type RankedFound = Pick<SearchAnswer, 'candidates' | 'matched' | 'dropped' | 'timings' | 'hits'>;

/** Ranked hits, the limit for one document, and how many hits were over it. */
type RankedHits<H extends Hit> = Ranked<H> & { readonly perDocument: number; readonly sameDocument: number };

/** Result of one look at the index. */
interface Looked<H extends Hit> {
  readonly byWords: readonly H[];
  readonly ranked: RankedHits<H>;
}

/** Finds sections and ranks the best; where these leave too few candidates, all of them. */
export function* rankFound<H extends Hit>(
  engine: SearchEngine<H>,
  sought: Sought,
  rules: RankingRules,
): Flow<RankedFound> {
  const { limit, explain = false } = rules.query;
  const timings = { lexical: 0, vector: 0, fusion: 0 };
  const nothing = { candidates: [], matched: 0, dropped: { sameDocument: 0, nearDuplicate: 0 }, timings };
  if (sought.terms.length === 0 && sought.recalls === 0) return explain ? { ...nothing, hits: [] } : nothing;
  const endStage = stopwatch(timings);
  const match = engine.matcher(sought, endStage);
  const look = function* (how: Look): Flow<Looked<H>> {
    const matches = yield* ask(() => match(how));
    endStage('lexical');
    return rankMatches(matches, { engine, rules, isLast: how.isExact, endStage });
  };
  const first = yield* look({ fetch: fetchFor(limit), isExact: false });
  // A few documents, or copies of one text, filled the head of the ranking: look for others further down.
  const last = isEnough(first.ranked, limit) ? first : yield* look(EVERYTHING);
  const { candidates, scored, repeated, perDocument, sameDocument } = last.ranked;
  const dropped = { sameDocument, nearDuplicate: repeated.size };
  const found = { candidates, matched: scored.length, dropped, timings };
  if (!explain) return found;
  const { byWords } = last === first ? yield* ask(() => match(EVERYTHING)) : last;
  const options = { perDocument, most: MAX_FETCH, tagOf: (hit: H) => engine.tagOf(hit) };
  return { ...found, hits: explainHits(last.ranked, byWords, options) };
}

function fetchFor(limit: number): number {
  return Math.min(MAX_FETCH, Math.max(MIN_FETCH, limit * OVERFETCH));
}

/** How one look's hits are ranked. */
interface Looking<H extends Hit> {
  readonly engine: SearchEngine<H>;
  readonly rules: RankingRules;
  /** No look follows: then the limit for one document may rise, since further hits are of no other document. */
  readonly isLast: boolean;
  readonly endStage: EndStage;
}

/** Scores hits and makes candidates of the best: not too many of one document, and nothing twice. */
function rankMatches<H extends Hit>(
  { byWords, byVector, cosineOf }: Matches<H>,
  { engine, rules, isLast, endStage }: Looking<H>,
): Looked<H> {
  const { query, titles, collapse } = rules;
  const { hits, compared } = mergeRecalled(byWords, byVector);
  const scoring = { ...rules.scoring, compared };
  const cosines = compareHits(hits, scoring, cosineOf);
  endStage('vector');
  const scored = scoreHits(hits, cosines, scoring, titles);
  const limit = { perDocument: query.perDocument, fillTo: isLast ? (query.fillTo ?? 0) : 0 };
  const { left, made, perDocument } = fillPerDocument(scored, limit, {
    documentOf: ({ documentId }) => documentId,
    make: (spread) => readCandidates(spread, query.limit, new Repetitions(collapse, true), engine),
    countOf: ({ candidates }) => candidates.length,
  });
  endStage('fusion');
  return { byWords, ranked: { ...made, scored, perDocument, sameDocument: scored.length - left.length } };
}

/** Reads the best hits; of variants of one text, and of versions of one section, only the best. */
function readCandidates<H extends Hit>(
  hits: readonly (H & HitScore)[],
  limit: number,
  repetitions: Repetitions,
  engine: SearchEngine<H>,
): Pick<Ranked<H>, 'candidates' | 'repeated'> {
  const candidates: Candidate[] = [];
  const repeated = new Map<string, string>();
  for (const hit of hits) {
    if (candidates.length >= limit) break;
    const { score, lexical, vector, shares, recalled } = hit;
    const only = recalled ? { recalled } : {};
    const candidate = { ...engine.read(hit), score, lexical, vector, shares, ...only };
    const shown = repetitions.shownFor(candidate);
    if (shown) repeated.set(hit.sectionId, shown.section.id);
    else candidates.push(candidate);
  }
  return { candidates, repeated };
}

/** No further look is needed: there are as many candidates as wanted, or all hits are candidates. */
function isEnough<H extends Hit>({ candidates, scored }: Ranked<H>, limit: number): boolean {
  return candidates.length >= limit || candidates.length === scored.length;
}

function stopwatch(timings: Record<keyof SearchTimings, number>): EndStage {
  let last = performance.now();
  return (stage) => {
    const now = performance.now();
    timings[stage] += now - last;
    last = now;
  };
}
