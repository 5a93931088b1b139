import type { RetrievalTrace } from '../../core/call.js';
import { Repetitions } from '../../kb/search/same-elsewhere.js';
import type { ExplainedHit, SectionFilter, StoredSection } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { scopeAllows } from '../../core/scope.js';
import { rankedList } from '../record/describe-candidates.js';
import { filtersAgainst } from './filters-against.js';

/** Where a section can be lost, in the order in which a retrieval could lose it. */
export const CAUSES = [
  'not_indexed',
  'outside_scope',
  'outside_filters',
  /** None of the words asked for stands in it. */
  'no_word',
  /** The words that it holds are not searched for, since they tell too little. */
  'common_words',
  /** Too far down by words to be compared by anything else. */
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

/** What is known of a section that was looked for, and of the retrieval that should have found it. */
export interface WhyFacts {
  /** Its id; as it was asked for where the index does not hold it. */
  readonly sectionId: string;
  /** Whatever the scope; null where the index does not hold it. */
  readonly stored: StoredSection | null;
  /** Ids like it, where the index does not hold it. */
  readonly nearest: readonly string[];
  readonly scope: Scope;
  readonly filter: SectionFilter;
  /** What the words of the question were read as, and which of it the section holds. */
  readonly terms: { readonly asked: readonly string[]; readonly held: readonly string[] };
  /** With the hits of every answer. */
  readonly retrieval: RetrievalTrace;
}

/** Where a section was lost. */
export interface Loss {
  readonly cause: Cause;
  /** Its place: by words for `not_compared`, in the ranked list where it got there, else by score; null before that. */
  readonly rank: number | null;
  /** Of how many. */
  readonly of: number | null;
  /** Length of the ranked list. */
  readonly listed: number;
  /** What stands in its place or before it, ids like it, or filters that it does not pass. */
  readonly others: readonly string[];
}

/** Rows that one answer tells of at most. */
const MOST_HITS = 1_000;

const lost = (cause: Cause, parts: Partial<Loss> = {}): Loss => ({
  cause,
  rank: null,
  of: null,
  listed: 0,
  others: [],
  ...parts,
});

/** What keeps a section from being looked at at all; several things can. */
function outside({ stored, nearest, scope, filter, terms }: WhyFacts): Loss[] {
  if (!stored) return [lost('not_indexed', { others: nearest })];
  const filters = filtersAgainst(filter, stored);
  return [
    ...(scopeAllows(scope, stored.document) ? [] : [lost('outside_scope')]),
    ...(filters.length > 0 ? [lost('outside_filters', { others: filters })] : []),
    ...(terms.held.length > 0 ? [] : [lost('no_word')]),
  ];
}

/** A section among the rows of one answer. */
interface Place {
  readonly hit: ExplainedHit;
  readonly hits: readonly ExplainedHit[];
}

/** The furthest that a section got comes first. */
const FURTHEST: readonly ExplainedHit['fate'][] = [
  'candidate',
  'near_duplicate',
  'same_document',
  'below_list',
];

/** Where the section got furthest; null where no answer tells of it. */
function bestPlace({ sectionId, retrieval }: WhyFacts): Place | null {
  const places = retrieval.answers.flatMap(({ hits = [] }): Place[] => {
    const hit = hits.find((each) => each.sectionId === sectionId);
    return hit ? [{ hit, hits }] : [];
  });
  const far = ({ hit }: Place): number => FURTHEST.indexOf(hit.fate);
  return places.sort((a, b) => far(a) - far(b))[0] ?? null;
}

const documentOf = (sectionId: string): string => sectionId.replace(/#[^#]*$/, '');

/** Sections of its document that were taken before it. */
function takenBefore({ hit, hits }: Place): string[] {
  const before = hits.slice(0, hits.indexOf(hit)).map(({ sectionId, fate }) => ({ sectionId, fate }));
  return before
    .filter(
      ({ sectionId, fate }) =>
        fate !== 'same_document' && documentOf(sectionId) === documentOf(hit.sectionId),
    )
    .map(({ sectionId }) => sectionId);
}

function rankByWords({ hit, hits }: Place): number {
  return 1 + hits.filter(({ lexical }) => lexical > hit.lexical).length;
}

/** What became of a section that was no candidate. */
function droppedBy(place: Place, listed: number): Loss {
  const { hit, hits } = place;
  const [rank, of] = [hits.indexOf(hit) + 1, hits.length];
  const instead = hit.instead === null ? [] : [hit.instead];
  if (hit.fate === 'near_duplicate') return lost('near_duplicate', { rank, of, listed, others: instead });
  if (hit.fate === 'same_document')
    return lost('same_document', { rank, of, listed, others: takenBefore(place) });
  const isCompared = hit.vector !== null || hits.every(({ vector }) => vector === null);
  if (isCompared) return lost('below_list', { rank, of, listed });
  return lost('not_compared', { rank: rankByWords(place), of, listed });
}

/** The section of any part's list that this one repeats. */
function shownElsewhere({ stored, retrieval: { rankings } }: WhyFacts): string | null {
  if (!stored || rankings.length < 2) return null;
  const repetitions = new Repetitions(rankings[0]?.collapse ?? {}, false);
  for (const { candidates } of rankings) for (const each of candidates) repetitions.shownFor(each);
  return repetitions.shownFor(stored)?.section.id ?? null;
}

/** Why a candidate is in no list: the list is shorter than what was ranked, or another part shows it in another version. */
function offTheList(facts: WhyFacts, { hit, hits }: Place, listed: number): Loss {
  const other = shownElsewhere(facts);
  const rank = 1 + hits.filter(({ fate }) => fate === 'candidate').indexOf(hit);
  if (other !== null) return lost('near_duplicate', { rank, of: hits.length, listed, others: [other] });
  return lost('below_list', { rank, of: hits.length, listed });
}

/** What became of a section in the list. */
function listedAs({ sectionId, retrieval }: WhyFacts, rank: number, listed: number): Loss {
  const { listed: chosen, shown, answerable } = retrieval;
  const at = { rank, of: listed, listed };
  if (shown.includes(sectionId)) return lost('returned', at);
  if (chosen.includes(sectionId)) return lost('budget', at);
  // Who says how sure an answer is quotes sentences; the others show pages of the list.
  return lost(answerable ? 'no_quote' : 'other_page', { ...at, others: [...new Set(chosen)] });
}

/**
 * Where a section was lost that a retrieval should have found.
 * @returns at least one; the first cause first. Several only where it was not looked at at all
 */
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
  return [told >= MOST_HITS ? lost('not_compared', { of: told, listed }) : lost('common_words', { listed })];
}
