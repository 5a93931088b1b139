import type { RankedBy, SearchAnswer } from '../../core/ports/section-index.port.js';
import type { Containment } from '../../text/terms/identifiers.js';
import { isStopTerm } from '../../text/terms/languages.js';
import { ASCII_ONLY, type QueryWord, queryWords, searchTerms } from '../../text/terms/search-terms.js';
import type { Definition } from './find-definition.js';

/** A matching section, without its text. */
export interface Hit {
  readonly sectionId: string;
  /** Identifies the document within the engine. */
  readonly documentId: number | string;
  readonly title: string;
  readonly documentTitle: string;
  /** The kind of its page; undefined for an ordinary one. */
  readonly kind?: string | undefined;
  /** Position within the document. */
  readonly ordinal: number;
  /** The same for sections with the same title and text, if the engine knows it. */
  readonly copyKey?: string;
  /** Okapi BM25, rounded to four places. */
  readonly lexical: number;
  /** True if it contains no word of the question: only its vector matched. */
  readonly recalled?: boolean;
}

/** Refers to the hit instead of copying it: a search scores up to 1,000 hits and shows about 20. */
export interface ScoredHit<H extends Hit = Hit> {
  readonly hit: H;
  readonly score: number;
  readonly vector: number | null;
  /** Contribution of each signal to the score. */
  readonly shares: Readonly<Record<string, number>>;
}

export interface Scoring<H extends Hit = Hit> {
  readonly terms: readonly string[];
  readonly rankedBy: RankedBy;
  /** The embedder's weight, relative to 1 for words; 0 if the question has no vector. */
  readonly vectorWeight: number;
  /** Number of first hits that are ranked by every signal; default 80, more if vectors found sections too. */
  readonly compared?: number;
  readonly titles?: TitleMemo;
  /** True if pages of every kind count alike. */
  readonly countsAll?: boolean;
  /** The question in the form of `nameOf`; empty, the default, equals no title. */
  readonly name?: string;
  /** For a question that is an identifier. @param isPage  true if its page has the whole question as its title */
  readonly containment?: (hit: H, isPage: boolean) => Containment;
  /** For a look-up: how a section defines a name. */
  readonly definition?: (hit: H) => Definition;
}

/** Cosines of hits, in their order; null without a vector. */
export type Cosines = readonly (number | null)[];

/**
 * Weight of the share of the title's words that are in the question. From .1 to .2 little changes. Without it, HotpotQA
 * loses .015 nDCG@10, and 4 % fewer documentation questions have the right section among the first three.
 */
const TITLE_WEIGHT = 0.15;
/**
 * Share of the best score by which a section comes before all others if its heading is the whole question, and twice
 * that if its page has this title. Their own scores order such sections. Larger values would only widen the gap.
 */
const NAMED_STEP = 0.1;
/**
 * Share of the best score by which a section comes before all others if it contains the identifier that is the whole
 * question, unbroken. In the same case it gets a little more, but less than for a heading.
 */
const EXACT_STEPS: Readonly<Record<Containment, number>> = { same: 1.05, other_case: 1, none: 0 };
/** Steps of a section that defines the name of a look-up. A title that is the whole name comes above them. */
const DEFINED_STEPS: Readonly<Record<Definition, number>> = { none: 0, term: 1, heading: 2 };
/** Number of best lexical hits that vectors reorder; 60, 100 and 200 gave the same figures. */
export const COMPARED = 80;
/**
 * The share of its score that a page of each kind loses (`pageKind`), because it repeats the words of every guide: a smaller
 * one if it can be the only page that answers.
 */
const LOST: ReadonlyMap<string, number> = new Map([
  ...(['changes', 'list'] as const).map((kind) => [kind, 0.5] as const),
  ...(['news', 'migration'] as const).map((kind) => [kind, 0.25] as const),
]);

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Max titles kept between searches, about 2 MB; a server runs for months, and its documents change. */
const MAX_TITLES = 10_000;

function joinStems({ term, parts }: QueryWord): string {
  return parts.length > 0 ? parts.map(joinStems).join('') : term;
}

/**
 * Folds a title or question for comparison as a whole: stems without spaces, punctuation and capitals, so that
 * `Get-ChildItem` and `get childitem` are equal. Stop words count. @returns an empty string without any word
 */
export function nameOf(text: string): string {
  return queryWords(text).map(joinStems).join('');
}

const FIRST = /[a-z\d]/i;

/**
 * False only if the text can't have this name; much faster than `nameOf`. In ASCII text, stemming keeps the first letter
 * or digit and never makes a word longer. Other text may always have it.
 */
export function mayBeNamed(text: string, name: string): boolean {
  if (!ASCII_ONLY.test(text)) return true;
  return text.length >= name.length && FIRST.exec(text)?.[0].toLowerCase() === name[0];
}

/** The words of a title, each form made on first use. */
class TitleWords {
  private foundTerms: readonly string[] | null = null;
  private foundName: string | null = null;

  constructor(private readonly title: string) {}

  /** Distinct, without stop words. */
  get terms(): readonly string[] {
    return (this.foundTerms ??= [...new Set(searchTerms(this.title))].filter((term) => !isStopTerm(term)));
  }

  get name(): string {
    return (this.foundName ??= nameOf(this.title));
  }
}

export type TitleMemo = Map<string, TitleWords>;

function titleWords(title: string, memo: TitleMemo): TitleWords {
  const known = memo.get(title);
  if (known) return known;
  const words = new TitleWords(title);
  memo.set(title, words);
  return words;
}

function titleShare(title: string, asked: ReadonlySet<string>, memo: TitleMemo): number {
  const { terms } = titleWords(title, memo);
  return terms.length === 0 ? 0 : terms.filter((term) => asked.has(term)).length / terms.length;
}

/**
 * Finds the hits whose title is the whole question: 2 for the first found section of such a page, 1 for a section with
 * such a heading.
 */
function namedHits(hits: readonly Hit[], name: string, memo: TitleMemo): ReadonlyMap<Hit, number> {
  const steps = new Map<Hit, number>();
  if (name === '') return steps;
  const isNamed = (title: string): boolean =>
    mayBeNamed(title, name) && titleWords(title, memo).name === name;
  const starts = new Map<Hit['documentId'], Hit>();
  for (const hit of hits) {
    if (isNamed(hit.title)) steps.set(hit, 1);
    const start = starts.get(hit.documentId);
    if ((!start || hit.ordinal < start.ordinal) && isNamed(hit.documentTitle))
      starts.set(hit.documentId, hit);
  }
  for (const start of starts.values()) steps.set(start, 2);
  return steps;
}

/** Raises hits above all others if they contain the identifier, or if their title is the whole question. */
function raise<H extends Hit>(
  scored: ScoredHit<H>[],
  steps: ReadonlyMap<Hit, number>,
  { containment, definition }: Scoring<H>,
): ScoredHit<H>[] {
  if (steps.size === 0 && !containment && !definition) return scored;
  const best = Math.max(...scored.map(({ score }) => score));
  return scored.map((one) => {
    const nameStep = steps.get(one.hit) ?? 0;
    const above = nameStep > 0 && definition ? DEFINED_STEPS.heading : 0;
    const step = nameStep > 0 ? nameStep + above : DEFINED_STEPS[definition?.(one.hit) ?? 'none'];
    const named = step > 0 ? round(best + NAMED_STEP * ((step - 1) * best + one.score) - one.score) : 0;
    const exact = round(best * EXACT_STEPS[containment?.(one.hit, nameStep > 1) ?? 'none']);
    if (named + exact === 0) return one;
    const raised = { ...(named > 0 ? { named } : {}), ...(exact > 0 ? { exact } : {}) };
    return { ...one, score: round(one.score + named + exact), shares: { ...one.shares, ...raised } };
  });
}

/** The method and weights of `scoreHits`. */
export function describeFusion({ vectorWeight }: Pick<Scoring, 'vectorWeight'>): SearchAnswer['fusion'] {
  const params = {
    words: 1,
    title: TITLE_WEIGHT,
    vector: vectorWeight,
    named_step: NAMED_STEP,
    exact_step: EXACT_STEPS.other_case,
  };
  return { method: 'convex_combination', params };
}

/** Scales values so that the smallest is 0 and the largest 1. */
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
  return b.score - a.score || (a.hit.sectionId < b.hit.sectionId ? -1 : 1);
}

/** Compares the vectors of the best hits with the question's. */
export function compareHits<T extends Hit>(
  hits: readonly T[],
  { rankedBy, compared = COMPARED }: Pick<Scoring, 'rankedBy' | 'compared'>,
  cosinesOf: (hits: readonly T[]) => Cosines,
): Cosines {
  return rankedBy === 'lexical' ? [] : cosinesOf(hits.slice(0, compared));
}

/**
 * Ranks hits by a convex combination of signals, each as a share of its best: words, vectors, title. It did better than
 * reciprocal ranks, also in Bruch, Gai and Ingber (2023).
 * @param hits  best BM25 first
 * @param cosines  of the first hits
 * @returns best first; equal scores by section id
 */
export function scoreHits<H extends Hit>(
  hits: readonly H[],
  cosines: Cosines,
  scoring: Scoring<H>,
): ScoredHit<H>[] {
  const { terms, rankedBy, vectorWeight, compared = COMPARED, titles = new Map(), name = '' } = scoring;
  const { countsAll = false } = scoring;
  const asked = new Set(terms);
  if (titles.size > MAX_TITLES) titles.clear();
  // The score of a very frequent word can be rounded to 0.
  const best = hits[0]?.lexical || 1;
  const byVector = rankedBy === 'vector' && cosines.some((cosine) => cosine !== null);
  const toShare = shareWithin(cosines.filter((cosine) => cosine !== null));
  const scored = hits.map((hit, i): ScoredHit<H> => {
    const vector = cosines[i] ?? null;
    const closeness = vector === null ? 0 : toShare(vector);
    const words = hit.lexical / best;
    const title = i < compared ? TITLE_WEIGHT * titleShare(hit.title, asked, titles) : 0;
    const shares: ScoredHit['shares'] = byVector
      ? { vector: round(closeness) }
      : { words: round(words), title: round(title), vector: round(vectorWeight * closeness) };
    const score = byVector ? closeness : words + title + vectorWeight * closeness;
    const lost = countsAll ? 0 : round((LOST.get(hit.kind ?? '') ?? 0) * score);
    return {
      hit,
      vector: vector === null ? null : round(vector),
      score: round(score - lost),
      shares: lost === 0 ? shares : { ...shares, kind: -lost },
    };
  });
  return raise(scored, namedHits(hits, name, titles), scoring).sort(byScoreThenId);
}
