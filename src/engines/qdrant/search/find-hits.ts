import type { StoredSection } from '../../../core/ports/section-index.port.js';
import { KIND_KEY } from '../../../core/section.js';
import { okapiWeight, scoreScale, shareFrequency, termShare } from '../../../kb/search/bm25.js';
import { byLexicalThenId, type Hit } from '../../../kb/search/score-hits.js';
import type { Matches, Sought } from '../../../kb/search/search-engine.js';
import { fieldTerms } from '../../../text/terms/section-terms.js';
import type { View } from '../live-collection.js';
import { padVector, payloadSection } from '../points.js';
import type { Filter, ScoredPoint, Search } from '../qdrant-connection.js';
import {
  askForTerms,
  lengthOf,
  phraseFrequency,
  roundedAverage,
  type SparseVector,
  termIndex,
} from './sparse-terms.js';

/** Maximum number of sections with all words of a phrase to fetch; then the order of the words is checked. */
const PHRASE_FETCH = 200;
/** Over-fetch, as a share: Qdrant's scores depend on deleted points and a rounded average, and ties are unordered. */
const SPARE = 0.5;
const MAX_PHRASES = 8;

/** A hit with its section. */
export interface FoundHit extends Hit {
  readonly pointId: string;
  readonly stored: StoredSection;
}

interface SoughtPoints extends Sought {
  /** Restricts to visible sections; part of every search and of every prefetch. */
  readonly filter: Filter;
  readonly fetch: number;
  readonly sectionCount: number;
  readonly averageLength: number;
  /** Components of the vectors in the collection. */
  readonly dimensions: number;
}

interface Row {
  readonly stored: StoredSection;
  /** Terms of the section. */
  readonly length: number;
  /** Score that each term (key: its index) adds at weight 1, computed with the rounded average length of sections. */
  readonly shares: ReadonlyMap<number, number>;
}

function sharesOf(vector: ScoredPoint['vector']): Map<number, number> {
  const named = typeof vector === 'object' && vector !== null && 'bm25' in vector ? vector['bm25'] : null;
  if (typeof named !== 'object' || named === null || !('indices' in named)) return new Map();
  // The requested vector is sparse; the client's type allows any kind.
  const { indices, values } = named as SparseVector;
  return new Map(indices.map((index, i) => [index, values[i] ?? 0]));
}

function toRow({ payload, vector }: ScoredPoint): Row {
  return { stored: payloadSection(payload), length: Number(payload?.['terms']), shares: sharesOf(vector) };
}

/** Requests texts and term shares with the points: Qdrant's own scores also depend on deleted points. */
function whole(search: Search): Search {
  return { ...search, with_payload: true, with_vector: ['bm25'] };
}

type Searches = Readonly<Record<'words' | 'phrases' | 'recalled' | 'rescored', readonly Search[]>>;

/** The searches of one request; unneeded lists are empty. */
function searchesFor(sought: SoughtPoints): Searches {
  const { terms, phrases, vector, recalls, filter, fetch, dimensions } = sought;
  const of = (asked: readonly string[], limit: number) => {
    return { query: askForTerms(asked), using: 'bm25', filter, limit };
  };
  const asked = terms.flatMap(({ term, times }) => Array.from({ length: times }, () => term));
  const words = asked.length > 0 ? [of(asked, Math.ceil(fetch * (1 + SPARE)))] : [];
  const inOrder =
    words.length > 0 ? phrases.slice(0, MAX_PHRASES).map((phrase) => of(phrase, PHRASE_FETCH)) : [];
  const dense = vector && { query: padVector(vector, dimensions), using: 'dense', filter };
  const prefetch = [...words, ...inOrder];
  const all = prefetch.reduce((sum, { limit }) => sum + limit, 0);
  return {
    words: words.map(whole),
    phrases: inOrder.map(whole),
    recalled: dense && recalls > 0 ? [whole({ ...dense, limit: recalls })] : [],
    // Computes the cosines of all sections that words and phrases find.
    rescored: dense && all > 0 ? [{ ...dense, prefetch, limit: all }] : [],
  };
}

type Points = Readonly<Record<keyof Searches, readonly ScoredPoint[]>>;

async function ask(view: View, searches: Searches): Promise<Points> {
  const { words, phrases, recalled, rescored } = searches;
  const { found } = await view.batch([...words, ...phrases, ...recalled, ...rescored]);
  const take = ({ length }: readonly Search[]): ScoredPoint[] => found.splice(0, length).flat();
  return { words: take(words), phrases: take(phrases), recalled: take(recalled), rescored: take(rescored) };
}

/** Sums the contributions of the terms to a section's score, with the same arithmetic as the index file. */
function wordScorer({ terms, averageLength }: SoughtPoints): (row: Row) => number {
  const weights = new Map(terms.map(({ term, weight }) => [termIndex(term), weight]));
  const weighedBy = roundedAverage(averageLength);
  return ({ shares, length }) => {
    let sum = 0;
    for (const [index, weight] of weights) {
      const frequency = shareFrequency(shares.get(index) ?? 0, length, weighedBy);
      sum += weight * termShare(frequency, length, averageLength);
    }
    return sum;
  };
}

/** Contribution of phrases to the score, by section id. */
function phraseScores(
  rows: readonly Row[],
  { phrases, sectionCount, averageLength }: SoughtPoints,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  const memo = new Map<string, readonly string[]>();
  for (const phrase of phrases.slice(0, MAX_PHRASES)) {
    const places = phrase.map(termIndex);
    const shares = rows.flatMap(({ stored, shares: known }) => {
      if (!places.every((place) => known.has(place))) return [];
      const { section, document } = stored;
      const { title: documentTitle, trail, path } = document;
      const terms = fieldTerms({ ...section, documentTitle, trail, path }, memo);
      const frequency = phraseFrequency(terms, phrase);
      const share = termShare(frequency, lengthOf(terms), averageLength);
      return frequency > 0 ? [{ id: stored.section.id, share }] : [];
    });
    const weight = okapiWeight(shares.length, sectionCount);
    for (const { id, share } of shares) scores.set(id, (scores.get(id) ?? 0) + weight * share);
  }
  return scores;
}

function toRows(lists: readonly (readonly ScoredPoint[])[]): Map<string, Row> {
  const points = new Map(lists.flat().map((point) => [String(point.id), point]));
  return new Map([...points].map(([id, point]) => [id, toRow(point)]));
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

function toHits(points: Points, sought: SoughtPoints): Map<string, FoundHit> {
  const { words, phrases, recalled } = points;
  const rows = toRows([words, phrases, recalled]);
  const inOrder = phraseScores([...rows.values()], sought);
  const scoreWords = wordScorer(sought);
  const scale = scoreScale(sought.terms);
  const kept = new Set([...words, ...recalled].map(({ id }) => String(id)));
  const hits = [...rows].flatMap(([id, row]): [string, FoundHit][] => {
    const { section, document } = row.stored;
    const phrase = inOrder.get(section.id);
    // This section has the words of a phrase, but not in order, and matches nothing else.
    if (phrase === undefined && !kept.has(id)) return [];
    const lexical = round((scoreWords(row) + (phrase ?? 0)) * scale);
    const { id: sectionId, title, ordinal } = section;
    const { path: documentId, title: documentTitle, metadata } = document;
    const kind = metadata[KIND_KEY];
    const facts = { pointId: id, sectionId, documentId, title, documentTitle, ordinal, kind };
    return [[id, { ...facts, lexical, stored: row.stored }]];
  });
  return new Map(hits);
}

/** Finds and scores sections, in one request. */
export async function findHits(view: View, sought: SoughtPoints): Promise<Matches<FoundHit>> {
  const points = await ask(view, searchesFor(sought));
  const hits = toHits(points, sought);
  const hitsOf = (found: readonly ScoredPoint[]): FoundHit[] =>
    found.flatMap(({ id }) => hits.get(String(id)) ?? []);
  const byWords = [...new Set(hitsOf([...points.words, ...points.phrases]))];
  const cosines = new Map(
    [...points.recalled, ...points.rescored].map(({ id, score }) => [String(id), score]),
  );
  return {
    byWords: byWords.sort(byLexicalThenId).slice(0, sought.fetch),
    byVector: hitsOf(points.recalled),
    cosinesOf: (hits) => hits.map(({ pointId }) => cosines.get(pointId) ?? null),
  };
}
