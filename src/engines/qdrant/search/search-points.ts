import { collapseRules } from '../../../kb/collapse-rules.js';
import { explainHits } from '../../../kb/search/explain-hits.js';
import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import { fetchFor, isEnough, MAX_FETCH, rankFound, stopwatch } from '../../../kb/search/rank-found.js';
import type { RankedFound, Ranking } from '../../../kb/search/rank-found.js';
import { fusionOf } from '../../../kb/search/score-hits.js';
import type { Scoring, TitleMemo } from '../../../kb/search/score-hits.js';
import type { Rewrite, SearchAnswer, SectionQuery } from '../../../core/ports/section-index.port.js';
import { weighTerms } from '../../../kb/search/weigh-terms.js';
import { searchTerms } from '../../../text/search-terms.js';
import { similarity } from '../../models/latent/packed-vector.js';
import { expandAcronyms } from './expand-acronyms.js';
import { findHits } from './find-hits.js';
import type { FoundHit, FoundHits, Sought } from './find-hits.js';
import type { KnownGeneration } from '../known-generation.js';
import type { View } from '../writing/live-collection.js';
import { plainPhrases } from './phrases.js';
import type { Filter } from '../qdrant-connection.js';
import { visibleSections } from './visible-sections.js';
import { VisibleTerms } from './visible-terms.js';

/** What a search goes by besides the question. */
export interface SearchParts {
  readonly view: View;
  readonly known: KnownGeneration;
  readonly profile: EmbedderProfile;
  readonly titles: TitleMemo;
}

/** A question with what it may see. */
interface Question {
  readonly query: SectionQuery;
  readonly filter: Filter;
  readonly visible: VisibleTerms;
  readonly rewrites: readonly Rewrite[];
}

type Answered = SearchAnswer & { readonly leftPartsOut: boolean };

function scoringFor(
  { query }: Question,
  terms: readonly string[],
  { known, profile }: SearchParts,
): Scoring & { readonly question: readonly number[] | null } {
  const asked = query.vector ?? known.space?.question(terms) ?? null;
  const padding = Array.from({ length: profile.dimensions - (asked?.length ?? 0) }, () => 0);
  return {
    terms,
    rankedBy: query.rankedBy,
    compare: asked && ((kept) => similarity(asked, kept)),
    vectorWeight: profile.weight,
    question: asked && query.rankedBy !== 'lexical' ? [...asked, ...padding] : null,
  };
}

/** Looks at the best hits, and at all where these leave too few candidates. */
async function rank(sought: Sought, ranking: Ranking, { view }: SearchParts): Promise<Ranks> {
  const timings = { lexical: 0, vector: 0, fusion: 0 };
  const taking = stopwatch(timings);
  const look = async (fetch: number, isLast: boolean): Promise<FoundHits & { ranked: RankedFound }> => {
    const found = await findHits(view, { ...sought, fetch });
    taking('lexical');
    const full = { ...ranking, scoring: { ...ranking.scoring, compared: found.compared }, isLast };
    const ranked = rankFound(found.hits, found.cosines, full, ({ stored }) => stored);
    taking('fusion');
    return { ...found, ranked };
  };
  const { limit, explain = false } = ranking.query;
  const first = await look(fetchFor(limit), false);
  const last = isEnough(first.ranked, limit) ? first : await look(MAX_FETCH, true);
  const { ranked } = last;
  if (!explain) return { ranked, timings };
  const { hits } = await findHits(view, { ...sought, fetch: MAX_FETCH });
  const tags = new Map(hits.map(({ documentId, stored }) => [documentId, stored.document.docTag]));
  const tagOf = (documentId: FoundHit['documentId']): string => tags.get(documentId) ?? '';
  return {
    ranked,
    timings,
    hits: explainHits(ranked, hits, { perDocument: ranked.perDocument, most: MAX_FETCH, tagOf }),
  };
}

interface Ranks extends Pick<SearchAnswer, 'timings' | 'hits'> {
  readonly ranked: RankedFound;
}

const NO_RANKS: Ranks = {
  ranked: { candidates: [], repeated: new Map(), scored: [], perDocument: 0, sameDocument: 0 },
  timings: { lexical: 0, vector: 0, fusion: 0 },
};

async function searchFor(question: Question, parts: SearchParts, withParts: boolean): Promise<Answered> {
  const { query, filter, visible, rewrites } = question;
  const { view, known, profile, titles } = parts;
  const { generation, sectionCount, averageLength } = known.stamp;
  const resolved = await visible.resolve(view, query.asked, withParts);
  const { terms, leftPartsOut } = resolved;
  // Words of sections that may not be seen weigh like words that nobody says.
  const documentFrequency = Object.fromEntries(terms.map((term) => [term, visible.frequencyOf(term)]));
  const { question: vector, ...scoring } = scoringFor(question, terms, parts);
  const collapse = collapseRules(known.declaration);
  const weighed = weighTerms(terms, documentFrequency, sectionCount);
  const expansions = rewrites.map(({ to }) => searchTerms(to));
  const phrases = plainPhrases([...query.asked.phrases, ...expansions]);
  const seek = { terms: weighed, phrases, question: vector, filter, sectionCount, averageLength };
  const recalls = profile.recalls && query.vector !== undefined && vector !== null;
  const sought = { ...seek, recalls, fetch: 0 };
  const isAnswerable = weighed.length > 0 || recalls;
  const ranking = { query, scoring, titles, collapse };
  const { ranked, ...told } = isAnswerable ? await rank(sought, ranking, parts) : NO_RANKS;
  return {
    ...told,
    ...(query.explain === true && !told.hits ? { hits: [] } : {}),
    generation,
    candidates: ranked.candidates,
    matched: ranked.scored.length,
    dropped: { sameDocument: ranked.sameDocument, nearDuplicate: ranked.repeated.size },
    sectionCount,
    terms,
    documentFrequency,
    rewrites: [...rewrites, ...resolved.rewrites],
    collapse,
    fusion: fusionOf(scoring),
    leftPartsOut,
  };
}

/** Ranks the visible sections that hold any of the words; with parts of identifiers where the whole finds too little. */
export async function searchPoints(query: SectionQuery, parts: SearchParts): Promise<SearchAnswer> {
  const { view, known } = parts;
  const filter = await visibleSections(view, query.scope, query.filter);
  const isRestricted = Array.isArray(filter.must) && filter.must.length > 1;
  const visible = new VisibleTerms(known.vocabulary, filter, isRestricted);
  const rewrites = await expandAcronyms(view, query.asked.acronyms, filter, known.acronyms);
  const question = { query, filter, visible, rewrites };
  const { leftPartsOut, ...answer } = await searchFor(question, parts, false);
  if (!leftPartsOut || answer.candidates.length >= query.limit) return answer;
  const { leftPartsOut: _, ...withParts } = await searchFor(question, parts, true);
  return withParts;
}
