import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import type {
  AskedWords,
  CollapseRules,
  Rewrite,
  SearchAnswer,
  SectionQuery,
} from '../../core/ports/section-index.port.js';
import { searchTerms } from '../../text/search-terms.js';
import { ask, type Flow } from './flow.js';
import { RECALLED } from './merge-recalled.js';
import { nearbyTerms, nearestTerm } from './nearest-term.js';
import { rankFound } from './rank-found.js';
import { type ResolvedWords, resolveWords } from './resolve-words.js';
import { fusionOf, type Hit, type Scoring } from './score-hits.js';
import type { SearchEngine, Sought } from './search-engine.js';
import { plainPhrases, weighTerms } from './weigh-terms.js';

/** One search, and what its acronyms were read as. */
interface Search<H extends Hit> {
  readonly query: SectionQuery;
  readonly engine: SearchEngine<H>;
  readonly rewrites: readonly Rewrite[];
}

/**
 * Ranks the visible sections that answer a query: expands acronyms, resolves words, weighs them, finds and scores
 * sections, collapses repetitions.
 *
 * It is a generator so that it stands once for all engines. SQLite answers each question at once, on the thread that
 * reads the file (`answerNow`): its read transaction must not stay open over an `await`, during which other searches
 * run. Qdrant has to be waited for (`answerLater`).
 */
export function* searchFlow<H extends Hit>(query: SectionQuery, engine: SearchEngine<H>): Flow<SearchAnswer> {
  const rewrites = yield* expandAcronyms(query.asked.acronyms, engine);
  const search = { query, engine, rewrites };
  const { answer, leftPartsOut } = yield* searchOnce(search, false);
  if (!leftPartsOut || answer.candidates.length >= query.limit) return answer;
  return (yield* searchOnce(search, true)).answer;
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

/** @param withParts  asks for parts of identifiers beside the whole */
function* searchOnce<H extends Hit>(
  search: Search<H>,
  withParts: boolean,
): Flow<{ readonly answer: SearchAnswer; readonly leftPartsOut: boolean }> {
  const { query, engine, rewrites } = search;
  const { id: generation, sectionCount, declaration, titles } = engine.generation;
  const resolved = yield* readWords(query.asked, engine, withParts);
  const { terms, leftPartsOut } = resolved;
  // A word that occurs only outside the scope is treated as unknown.
  const documentFrequency = Object.fromEntries(terms.map((term) => [term, engine.frequencyOf(term)]));
  const { sought, scoring } = planSearch(search, terms, documentFrequency);
  const collapse = collapseRules(declaration);
  const found = yield* rankFound(engine, sought, { query, scoring, titles, collapse });
  const fusion = fusionOf(scoring);
  const read = { terms, documentFrequency, rewrites: [...rewrites, ...resolved.rewrites] };
  return { answer: { ...found, generation, sectionCount, ...read, collapse, fusion }, leftPartsOut };
}

/** Reads words as terms of the index; again after each look-up of terms that it had to guess. */
function* readWords<H extends Hit>(
  asked: AskedWords,
  engine: SearchEngine<H>,
  withParts: boolean,
): Flow<ResolvedWords> {
  const isHeld = (term: string): boolean => engine.frequencyOf(term) > 0;
  const nearestTo = (term: string): string | null =>
    nearestTerm(term, engine.termsNear(nearbyTerms(term)), isHeld);
  const lookup = { isHeld, nearestTo };
  let resolved = resolveWords(asked, lookup, withParts);
  while (yield* ask(() => engine.lookUpTerms())) resolved = resolveWords(asked, lookup, withParts);
  return resolved;
}

function planSearch<H extends Hit>(
  { query, engine, rewrites }: Search<H>,
  terms: readonly string[],
  documentFrequency: Readonly<Record<string, number>>,
): { readonly sought: Sought; readonly scoring: Scoring } {
  const { rankedBy, asked } = query;
  const { profile, sectionCount } = engine.generation;
  const vector = query.vector ?? engine.vectorOf(terms);
  const sought = {
    terms: weighTerms(terms, documentFrequency, sectionCount),
    phrases: plainPhrases([...asked.phrases, ...rewrites.map(({ to }) => searchTerms(to))]),
    vector: rankedBy === 'lexical' ? null : vector,
    recalls: query.vector && profile.recalls && rankedBy !== 'lexical' ? RECALLED : 0,
  };
  return { sought, scoring: { terms, rankedBy, vectorWeight: vector ? profile.weight : 0 } };
}

/** The keys whose values the manifest collapses, or keeps apart. */
function collapseRules({ taxonomy }: CorpusDeclaration): CollapseRules {
  return Object.fromEntries(Object.entries(taxonomy).map(([key, { collapse }]) => [key, collapse]));
}
