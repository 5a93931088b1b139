import type { RetrievalTrace } from '../../core/call.js';
import type { ExplainedHit, SectionFilter, StoredSection } from '../../core/ports/section-index.port.js';
import { type Scope, scopeAllows } from '../../core/scope.js';
import { pagePath } from '../../core/section-id.js';
import { Repetitions } from '../../kb/search/same-elsewhere.js';
import { rankedList } from '../record/describe-candidates.js';

const oneOf = (values: readonly string[]): string =>
  values.map((value) => JSON.stringify(value)).join(' or ');

/** The filters that a section fails, each with the actual and the required value. */
export function filtersAgainst(filter: SectionFilter, { section, document }: StoredSection): string[] {
  const { docTags, pathPrefix, updatedAfter, paths, sectionIds, metadata = {} } = filter;
  const { docTag, path, updatedAt } = document;
  const failed: string[] = [];
  if (docTags && !docTags.includes(docTag))
    failed.push(`its doc_tag is ${JSON.stringify(docTag)}; the filter requires ${oneOf(docTags)}`);
  if (pathPrefix && !path.startsWith(pathPrefix))
    failed.push(
      `its path is ${JSON.stringify(path)}; the filter requires the prefix ${JSON.stringify(pathPrefix)}`,
    );
  if (updatedAfter && updatedAt < updatedAfter)
    failed.push(`it was updated at ${updatedAt}; the filter requires ${updatedAfter} or later`);
  if (paths && !paths.includes(path))
    failed.push(`its path is ${JSON.stringify(path)}; the filter requires ${oneOf(paths)}`);
  if (sectionIds && !sectionIds.includes(section.id)) failed.push('it is not one of the requested sections');
  for (const [key, value] of Object.entries(metadata)) {
    const own = document.metadata[key];
    if (own === value) continue;
    const shown = own === undefined ? 'not set' : JSON.stringify(own);
    failed.push(`its ${key} is ${shown}; the filter requires ${JSON.stringify(value)}`);
  }
  return failed;
}

/** Where a retrieval can lose a section, in order of the stages. */
export const CAUSES = [
  'not_indexed',
  'outside_scope',
  'outside_filters',
  /** It contains no word of the query. */
  'no_word',
  /** It contains only words that are too common to be searched for. */
  'common_words',
  /** Its lexical rank is too low for the other signals to be computed. */
  'not_compared',
  'same_document',
  'near_duplicate',
  'below_list',
  'other_page',
  'no_quote',
  'budget',
  /** It was not lost. */
  'returned',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Facts about an expected section and the retrieval that should have found it. */
export interface WhyFacts {
  /** Its id; the requested id if the index does not have it. */
  readonly sectionId: string;
  /** Read without a scope; null if the index does not have it. */
  readonly stored: StoredSection | null;
  /** Similar ids, if the index does not have it. */
  readonly nearest: readonly string[];
  readonly scope: Scope;
  readonly filter: SectionFilter;
  /** The terms of the query, and those that the section contains. */
  readonly terms: { readonly asked: readonly string[]; readonly held: readonly string[] };
  /** The retrieval, with the hits of every answer. */
  readonly retrieval: RetrievalTrace;
}

/** Where a section was lost. */
export interface Loss {
  readonly cause: Cause;
  /** Its rank: lexical for `not_compared`, in the list if it is listed, else by score; null if it did not match. */
  readonly rank: number | null;
  /** Number of items in the ranking that `rank` refers to; null if unknown. */
  readonly of: number | null;
  /** Length of the ranked list. */
  readonly listed: number;
  /** Sections listed instead or before it, similar ids, or filters that it fails. */
  readonly others: readonly string[];
}

/** Maximum number of rows in one answer. */
const MAX_HITS = 1_000;

const lost = (cause: Cause, parts: Partial<Loss> = {}): Loss => ({
  cause,
  rank: null,
  of: null,
  listed: 0,
  others: [],
  ...parts,
});

/** Causes that exclude a section before matching; there can be several. */
function outside({ stored, nearest, scope, filter, terms }: WhyFacts): Loss[] {
  if (!stored) return [lost('not_indexed', { others: nearest })];
  const filters = filtersAgainst(filter, stored);
  return [
    ...(scopeAllows(scope, stored.document) ? [] : [lost('outside_scope')]),
    ...(filters.length > 0 ? [lost('outside_filters', { others: filters })] : []),
    ...(terms.held.length > 0 ? [] : [lost('no_word')]),
  ];
}

/** The row of the section in one answer. */
interface Place {
  readonly hit: ExplainedHit;
  readonly hits: readonly ExplainedHit[];
}

/** Stages of the search, latest first. */
const FURTHEST: readonly ExplainedHit['fate'][] = [
  'candidate',
  'near_duplicate',
  'same_document',
  'below_list',
];

/** The answer in which the section got furthest; null if none lists it. */
function bestPlace({ sectionId, retrieval }: WhyFacts): Place | null {
  const places = retrieval.answers.flatMap(({ hits = [] }): Place[] => {
    const hit = hits.find((each) => each.sectionId === sectionId);
    return hit ? [{ hit, hits }] : [];
  });
  const far = ({ hit }: Place): number => FURTHEST.indexOf(hit.fate);
  return places.sort((a, b) => far(a) - far(b))[0] ?? null;
}

/** Sections of the same document that rank above it. */
function takenBefore({ hit, hits }: Place): string[] {
  const document = pagePath(hit.sectionId);
  return hits
    .slice(0, hits.indexOf(hit))
    .filter(({ sectionId, fate }) => fate !== 'same_document' && pagePath(sectionId) === document)
    .map(({ sectionId }) => sectionId);
}

function rankByWords({ hit, hits }: Place): number {
  return 1 + hits.filter(({ lexical }) => lexical > hit.lexical).length;
}

function droppedBy(place: Place, listed: number): Loss {
  const { hit, hits } = place;
  const at = { rank: hits.indexOf(hit) + 1, of: hits.length, listed };
  const instead = hit.instead === null ? [] : [hit.instead];
  if (hit.fate === 'near_duplicate') return lost('near_duplicate', { ...at, others: instead });
  if (hit.fate === 'same_document') return lost('same_document', { ...at, others: takenBefore(place) });
  const isCompared = hit.vector !== null || hits.every(({ vector }) => vector === null);
  return isCompared ? lost('below_list', at) : lost('not_compared', { ...at, rank: rankByWords(place) });
}

/** The listed section, of any part, that this one duplicates. */
function shownElsewhere({ stored, retrieval: { rankings } }: WhyFacts): string | null {
  if (!stored || rankings.length < 2) return null;
  const repetitions = new Repetitions(rankings[0]?.collapse ?? {}, false);
  for (const { candidates } of rankings) for (const each of candidates) repetitions.shownFor(each);
  return repetitions.shownFor(stored)?.section.id ?? null;
}

/** Why a candidate is in no list: it ranks below the end, or another part lists another version of it. */
function offTheList(facts: WhyFacts, { hit, hits }: Place, listed: number): Loss {
  const other = shownElsewhere(facts);
  const rank = 1 + hits.filter(({ fate }) => fate === 'candidate').indexOf(hit);
  const at = { rank, of: hits.length, listed };
  return other === null ? lost('below_list', at) : lost('near_duplicate', { ...at, others: [other] });
}

function listedAs({ sectionId, retrieval }: WhyFacts, rank: number, listed: number): Loss {
  const { listed: chosen, shown, answerable } = retrieval;
  const at = { rank, of: listed, listed };
  if (shown.includes(sectionId)) return lost('returned', at);
  if (chosen.includes(sectionId)) return lost('budget', at);
  // Tools with a confidence quote sentences; the others return pages of the list.
  return lost(answerable ? 'no_quote' : 'other_page', { ...at, others: [...new Set(chosen)] });
}

/** The causes of a loss, at least one; several only if the section was excluded before matching. */
export function whyMissing(facts: WhyFacts): Loss[] {
  const never = outside(facts);
  if (never.length > 0) return never;
  const { sectionId, retrieval } = facts;
  const list = [...rankedList(retrieval).keys()];
  const listed = list.length;
  if (list.includes(sectionId)) return [listedAs(facts, list.indexOf(sectionId) + 1, listed)];
  const place = bestPlace(facts);
  if (place?.hit.fate === 'candidate') return [offTheList(facts, place, listed)];
  if (place) return [droppedBy(place, listed)];
  const told = Math.max(0, ...retrieval.answers.map(({ hits = [] }) => hits.length));
  return [told >= MAX_HITS ? lost('not_compared', { of: told, listed }) : lost('common_words', { listed })];
}
