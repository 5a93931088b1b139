import type { Candidate, CollapseRules, SectionQuery } from '../../core/ports/section-index.port.js';
import { identifierFinder } from '../../text/terms/identifiers.js';
import type { Ranked } from './explain-hits.js';
import { fillPerDocument } from './merge-rankings.js';
import { Repetitions } from './same-elsewhere.js';
import {
  COMPARED,
  compareHits,
  type Hit,
  type ScoredHit,
  scoreHits,
  type Scoring,
  type TitleMemo,
} from './score-hits.js';
import type { EndStage, Matches, SearchEngine } from './search-engine.js';

/**
 * Weights of the fields in Okapi BM25, with the formula of FTS5, so that all engines score like the index file. Other
 * weights made hardly any difference, but without title and headings whole pages were not found.
 */
export const FIELD_WEIGHTS = { title: 2, headings: 2, file: 1, body: 1 } as const;

const K1 = 1.2;
const B = 0.75;

/**
 * Contribution of a term of weight 1 to a section's score, from 0 to below 2.2.
 * @param frequency  number of occurrences, each multiplied by the weight of its field
 * @param length  number of terms in the section
 * @param averageLength  of all sections; 0 if there are none
 */
export function termShare(frequency: number, length: number, averageLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + saturation(length, averageLength));
}

/** The inverse of `termShare`. Frequencies are whole numbers, because the field weights are. */
export function shareFrequency(share: number, length: number, averageLength: number): number {
  return Math.round((share * saturation(length, averageLength)) / (K1 + 1 - share));
}

function saturation(length: number, averageLength: number): number {
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
const LEAST_WEIGHT = 1e-6;
/** Maximum terms of a question; those with the highest weight are kept. */
const MAX_TERMS = 24;
/** Maximum number of times that a repeated term counts. */
const MAX_TIMES = 3;

/** Inverse document frequency as FTS5 computes it: ln((N - n + 0.5) / (n + 0.5)), for n of N rows; always above 0. */
export function okapiWeight(found: number, rows: number): number {
  return Math.max(LEAST_WEIGHT, Math.log((rows - found + 0.5) / (found + 0.5)));
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
  const rare = known.filter(({ found }) => okapiWeight(found, rows) > LEAST_WEIGHT);
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
  return terms.every(({ weight }) => weight === LEAST_WEIGHT) ? 0.1 / LEAST_WEIGHT : 1;
}

interface RankingRules<H extends Hit> {
  readonly query: SectionQuery;
  readonly scoring: Scoring;
  /** Known terms of titles. */
  readonly titles: TitleMemo;
  readonly collapse: CollapseRules;
  readonly read: SearchEngine<H>['read'];
  readonly textsOf: SearchEngine<H>['textsOf'];
  readonly endStage: EndStage;
}

/** Ranked hits, the limit for one document, and the number of hits over it. */
export type RankedHits<H extends Hit> = Ranked<H> & {
  readonly perDocument: number;
  readonly sameDocument: number;
};

interface MergedHits<H extends Hit> {
  readonly hits: readonly H[];
  /** Number of first hits that are ranked by every signal. */
  readonly compared: number;
}

/**
 * Inserts the sections that vectors found between the head and the tail of the lexical ranking.
 * @param byWords  best BM25 first
 * @param byVector  nearest first, each with its BM25, which is 0 for a section with none of the words
 */
export function mergeRecalled<H extends Hit>(byWords: readonly H[], byVector: readonly H[]): MergedHits<H> {
  if (byVector.length === 0) return { hits: byWords, compared: COMPARED };
  const head = byWords.slice(0, COMPARED);
  const atHead = new Set(head.map(({ sectionId }) => sectionId));
  const added = byVector
    .filter(({ sectionId }) => !atHead.has(sectionId))
    .map((hit) => (hit.lexical === 0 ? { ...hit, recalled: true } : hit));
  const moved = new Set(added.map(({ sectionId }) => sectionId));
  const tail = byWords.slice(COMPARED).filter(({ sectionId }) => !moved.has(sectionId));
  return { hits: [...head, ...added, ...tail], compared: head.length + added.length };
}

/** How sections contain the identifier that is the whole question. */
function containmentIn<H extends Hit>(
  hits: readonly H[],
  { query, textsOf }: RankingRules<H>,
): Scoring<H>['containment'] {
  const { identifier = null } = query.asked;
  if (identifier === null) return undefined;
  const find = identifierFinder(identifier);
  const texts = textsOf(hits);
  const textOf = new Map(hits.map((hit, i) => [hit, texts[i] ?? '']));
  return (hit, isPage) =>
    find([...(isPage ? [hit.documentTitle] : []), hit.title, textOf.get(hit)].join('\n'));
}

/** Scores matches and makes candidates of the best. @param isLast  the limit per document may rise to fill the list */
export function rankMatches<H extends Hit>(
  { byWords, byVector, cosinesOf }: Matches<H>,
  rules: RankingRules<H>,
  isLast: boolean,
): RankedHits<H> {
  const { query, titles, collapse, endStage } = rules;
  const { hits, compared } = mergeRecalled(byWords, byVector);
  const containment = containmentIn(hits, rules);
  const scoring = { ...rules.scoring, compared, titles, ...(containment ? { containment } : {}) };
  const cosines = compareHits(hits, scoring, cosinesOf);
  endStage('vector');
  const scored = scoreHits(hits, cosines, scoring);
  const limit = { perDocument: query.perDocument, fillTo: isLast ? (query.fillTo ?? 0) : 0 };
  const { left, made, perDocument } = fillPerDocument(scored, limit, {
    documentOf: ({ hit }) => hit.documentId,
    make: (spread) => readCandidates(spread, rules, new Repetitions(collapse, true)),
  });
  endStage('fusion');
  return { ...made, scored, perDocument, sameDocument: scored.length - left.length };
}

/**
 * Reads the best hits; of variants of one text, and of versions of one section, only the best. Copies of a read text are
 * not read again, unless versions can be kept apart, which depends on their documents.
 */
function readCandidates<H extends Hit>(
  hits: readonly ScoredHit<H>[],
  { query, read, collapse }: RankingRules<H>,
  repetitions: Repetitions,
): Pick<Ranked<H>, 'candidates' | 'repeated'> {
  const candidates: Candidate[] = [];
  const repeated = new Map<string, string>();
  const skipsCopies = !Object.values(collapse).includes(false);
  const shownAs = new Map<string | undefined, string>();
  for (const { hit, score, vector, shares } of hits) {
    if (candidates.length >= query.limit) break;
    const { lexical, recalled, copyKey } = hit;
    const copied = skipsCopies && copyKey !== undefined ? shownAs.get(copyKey) : undefined;
    if (copied !== undefined) {
      repeated.set(hit.sectionId, copied);
      continue;
    }
    const only = recalled ? { recalled } : {};
    const candidate = { ...read(hit), score, lexical, vector, shares, ...only };
    const shown = repetitions.shownFor(candidate);
    shownAs.set(copyKey, shown?.section.id ?? hit.sectionId);
    if (shown) repeated.set(hit.sectionId, shown.section.id);
    else candidates.push(candidate);
  }
  return { candidates, repeated };
}
