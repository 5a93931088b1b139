import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import type {
  AskedWords,
  CollapseRules,
  Rewrite,
  SearchAnswer,
  SearchTimings,
  SectionQuery,
} from '../../core/ports/section-index.port.js';
import { VERSION_KEY } from '../../core/section.js';
import { searchTerms } from '../../text/terms/search-terms.js';
import { plainPhrases, weighTerms } from './bm25.js';
import { explainHits } from './explain-hits.js';
import {
  isSureForm,
  nearbyCompletions,
  nearbyInflections,
  nearbyTerms,
  nearestInflection,
  nearestTerm,
  onlyCompletion,
} from './nearest-term.js';
import { type RankedHits, rankMatches } from './rank-matches.js';
import { nearWords, type ResolvedWords, resolveWords } from './resolve-words.js';
import { COMPARED, describeFusion, type Hit, type Scoring } from './score-hits.js';
import {
  ask,
  type EndStage,
  type Flow,
  type Matches,
  type SearchEngine,
  type Sought,
} from './search-engine.js';

/** Sections fetched for each one wanted, so that a document with many matches leaves room for others. */
const OVERFETCH = 4;
/** The number of compared vectors, so that the order does not depend on the limit of the query. */
const MIN_FETCH = COMPARED;
/** Maximum number of sections that a search reads. */
const MAX_FETCH = 1_000;
/** Sections that are looked through for the name of a look-up: others may contain its parts more often. */
const IDENTIFIER_FETCH = 160;
/** If the best sections leave too few candidates, this many times as many are read. */
const MIN_GROWTH = 2;
const MAX_GROWTH = 4;

/** One search, and the long forms of its acronyms. */
interface Search<H extends Hit> {
  readonly query: SectionQuery;
  readonly engine: SearchEngine<H>;
  readonly rewrites: readonly Rewrite[];
}

/**
 * Ranks the visible sections that answer a query: expands acronyms, resolves words, weighs them, finds and scores
 * sections, collapses repetitions.
 *
 * A generator, so that all engines share these steps. SQLite answers each question at once, on the thread that reads
 * the file (`answerNow`): its read transaction must not stay open over an `await`, during which other searches run.
 * Qdrant answers later (`answerLater`).
 */
export function* searchFlow<H extends Hit>(query: SectionQuery, engine: SearchEngine<H>): Flow<SearchAnswer> {
  const rewrites = yield* expandAcronyms(query.asked.acronyms, engine);
  const search = { query, engine, rewrites };
  const { answer, leftOut } = yield* searchOnce(search, false);
  if (leftOut && answer.candidates.length < query.limit) return (yield* searchOnce(search, true)).answer;
  const unknown = answer.terms.filter((term) => engine.frequencyOf(term) === 0);
  if (unknown.length === answer.terms.length)
    return { ...answer, nearest: yield* nearWords(unknown, true, engine) };
  const words = unknown.filter((term) => query.asked.correctable.includes(term));
  return words.length === 0 ? answer : { ...answer, nearest: yield* nearWords(words, false, engine) };
}

function* expandAcronyms<H extends Hit>(
  shorts: readonly string[],
  engine: SearchEngine<H>,
): Flow<readonly Rewrite[]> {
  if (shorts.length === 0) return [];
  const longs = yield* ask(() => engine.longForms(shorts));
  return shorts.flatMap((from, i) => {
    const to = longs[i] ?? null;
    return to === null ? [] : [{ from, to, why: 'acronym' as const }];
  });
}

/** @param withAll  true to search for other spellings too: the parts of identifiers, and joined words */
function* searchOnce<H extends Hit>(
  search: Search<H>,
  withAll: boolean,
): Flow<{ readonly answer: SearchAnswer; readonly leftOut: boolean }> {
  const { query, engine, rewrites } = search;
  const { id: generation, sectionCount, declaration } = engine.generation;
  const resolved = yield* readWords(query.asked, engine, withAll);
  const { terms, leftOut } = resolved;
  // A word that occurs only outside the scope is treated as unknown.
  const documentFrequency = Object.fromEntries(terms.map((term) => [term, engine.frequencyOf(term)]));
  const plan = planSearch(search, terms, documentFrequency);
  const collapse = collapseRules(declaration);
  const found = yield* findBest(search, plan, collapse);
  const fusion = describeFusion(plan.scoring);
  const read = { terms, documentFrequency, rewrites: [...rewrites, ...resolved.rewrites] };
  return { answer: { ...found, generation, sectionCount, ...read, collapse, fusion }, leftOut };
}

/** Interprets words as terms of the index, and repeats this after each look-up of unknown terms. */
function* readWords<H extends Hit>(
  asked: AskedWords,
  engine: SearchEngine<H>,
  withAll: boolean,
): Flow<ResolvedWords> {
  const isHeld = (term: string): boolean => engine.frequencyOf(term) > 0;
  const nearestTo = (term: string): string | null =>
    nearestTerm(term, engine.termsNear(nearbyTerms(term)), isHeld);
  const inflectionOf = (term: string, isForeign: boolean): string | null => {
    const form = nearestInflection(term, engine.termsNear(nearbyInflections(term)), isHeld);
    return form !== null && (isForeign || isSureForm(term, form)) ? form : null;
  };
  const completionOf = (term: string): string | null =>
    onlyCompletion(term, engine.termsNear(nearbyCompletions(term)), isHeld);
  const { synonyms = {} } = engine.generation.declaration;
  const findSynonyms = (term: string): readonly string[] =>
    Object.hasOwn(synonyms, term) ? (synonyms[term] ?? []) : [];
  const lookup = { isHeld, nearestTo, inflectionOf, completionOf, findSynonyms };
  let resolved = resolveWords(asked, lookup, withAll);
  while (yield* ask(() => engine.lookUpTerms())) resolved = resolveWords(asked, lookup, withAll);
  return resolved;
}

interface SearchPlan {
  readonly sought: Sought;
  readonly scoring: Scoring;
}

function planSearch<H extends Hit>(
  { query, engine, rewrites }: Search<H>,
  terms: readonly string[],
  documentFrequency: Readonly<Record<string, number>>,
): SearchPlan {
  const { rankedBy, asked } = query;
  const { profile, sectionCount } = engine.generation;
  const vector = query.vector ?? engine.vectorOf(terms);
  const sought = {
    terms: weighTerms(
      terms.map((term) => ({
        term,
        found: documentFrequency[term] ?? 0,
        asked: asked.times?.get(term) ?? 1,
      })),
      sectionCount,
    ),
    phrases: plainPhrases([...asked.phrases, ...rewrites.map(({ to }) => searchTerms(to))]),
    vector: rankedBy === 'lexical' ? null : vector,
    recalls: query.vector && profile.recalls && rankedBy !== 'lexical' ? COMPARED : 0,
  };
  return {
    sought,
    scoring: {
      ...{ terms, rankedBy, vectorWeight: vector ? profile.weight : 0, name: asked.name ?? '' },
      countsAll: asked.isAboutChanges === true,
    },
  };
}

function collapseRules({ taxonomy }: CorpusDeclaration): CollapseRules {
  return Object.fromEntries(Object.entries(taxonomy).map(([key, { collapse }]) => [key, collapse]));
}

/** Finds sections and ranks the best. If these leave too few candidates, ranks more of them. */
function* findBest<H extends Hit>(
  { query, engine }: Search<H>,
  { sought, scoring }: SearchPlan,
  collapse: CollapseRules,
): Flow<Pick<SearchAnswer, 'candidates' | 'matched' | 'dropped' | 'timings' | 'hits'>> {
  const { limit, explain = false } = query;
  const timings = { lexical: 0, vector: 0, fusion: 0 };
  const nothing = { candidates: [], matched: 0, dropped: { sameDocument: 0, nearDuplicate: 0 }, timings };
  if (sought.terms.length === 0 && sought.recalls === 0) return explain ? { ...nothing, hits: [] } : nothing;
  const endStage = stopwatch(timings);
  const match = engine.matcher(sought, endStage);
  const rules = {
    query,
    scoring,
    titles: engine.generation.titles,
    collapse,
    current: engine.generation.declaration.taxonomy[VERSION_KEY]?.current,
    read: (hit: H) => engine.read(hit),
    textsOf: (hits: readonly H[]) => engine.textsOf(hits),
    endStage,
  };
  const look = function* (fetch: number): Flow<Looked<H>> {
    const matches = yield* ask(() => match(fetch));
    endStage('lexical');
    return { fetch, matches, ranked: rankMatches(matches, rules, fetch === MAX_FETCH) };
  };
  let last = yield* look(query.asked.identifier || query.asked.subject ? IDENTIFIER_FETCH : fetchFor(limit));
  // A few documents, or copies of one text, can fill the head of the ranking; the search then reads more matches.
  while (last.fetch < MAX_FETCH && !isEnough(last.ranked, limit)) last = yield* look(nextFetch(last, limit));
  const { candidates, scored, repeated, perDocument, sameDocument } = last.ranked;
  const dropped = { sameDocument, nearDuplicate: repeated.size };
  const found = { candidates, matched: scored.length, dropped, timings };
  if (!explain) return found;
  const { byWords } = last.fetch === MAX_FETCH ? last.matches : yield* ask(() => match(MAX_FETCH));
  const options = { perDocument, most: MAX_FETCH, tagOf: (hit: H) => engine.tagOf(hit) };
  return { ...found, hits: explainHits(last.ranked, byWords, options) };
}

/** The best matches up to a number, ranked. */
interface Looked<H extends Hit> {
  readonly fetch: number;
  readonly matches: Matches<H>;
  readonly ranked: RankedHits<H>;
}

function fetchFor(limit: number): number {
  return Math.min(MAX_FETCH, Math.max(MIN_FETCH, limit * OVERFETCH));
}

/** A quarter more than would do if further sections made as many candidates as those that were read. */
function nextFetch<H extends Hit>({ fetch, ranked }: Looked<H>, limit: number): number {
  const needed = Math.ceil((1.25 * fetch * limit) / Math.max(1, ranked.candidates.length));
  return Math.min(MAX_FETCH, fetch * MAX_GROWTH, Math.max(fetch * MIN_GROWTH, needed));
}

/** True if there are as many candidates as wanted, or if all hits are candidates. */
function isEnough<H extends Hit>({ candidates, scored }: RankedHits<H>, limit: number): boolean {
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
