import type { RankedCandidate, Ranking } from '../../core/ranking.js';
import { ASCII_ONLY, type QueryWord, queryWords } from '../../text/terms/search-terms.js';
import { Repetitions } from './same-elsewhere.js';

function stemsOf({ term, parts }: QueryWord): string {
  return parts.length > 0 ? parts.map(stemsOf).join('') : term;
}

/**
 * Folds a title or question for comparison as a whole: stems without spaces, punctuation and capitals, so that
 * `Get-ChildItem` and `get childitem` are equal. Stop words count. @returns an empty string without any word
 */
export function nameOf(text: string): string {
  return queryWords(text).map(stemsOf).join('');
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

/** Maximum number of items of one document in a list. */
export interface DocumentLimit {
  readonly perDocument: number;
  /** The limit is doubled until the list has this many items; 0, the default, keeps the limit. */
  readonly fillTo?: number;
}

/** Maximum number of sections in a ranked list: in all, and of one document. */
export interface RankLimits extends DocumentLimit {
  readonly sections: number;
}

/** The limits of a list. @param asked  sections of one document; null for the default, which rises to fill the list */
export function limitsOf(sections: number, asked: number | null, byDefault: number): RankLimits {
  if (asked !== null) return { sections, perDocument: asked };
  return { sections, perDocument: byDefault, fillTo: sections };
}

/** The first items of each document, in their order. */
function limitPerDocument<T>(items: readonly T[], most: number, documentOf: (item: T) => unknown): T[] {
  const taken = new Map<unknown, number>();
  return items.filter((item) => {
    const document = documentOf(item);
    const count = (taken.get(document) ?? 0) + 1;
    taken.set(document, count);
    return count <= most;
  });
}

/**
 * Limits the number of items per document. If few documents match, the limit is raised.
 * @param documentOf  names the document of an item
 * @param make  makes candidates from the remaining items; it may omit more
 * @returns the remaining items, the result of `make`, and the limit that was applied
 */
export function fillPerDocument<T, R extends { readonly candidates: readonly unknown[] }>(
  items: readonly T[],
  { perDocument, fillTo = 0 }: DocumentLimit,
  by: { readonly documentOf: (item: T) => unknown; readonly make: (left: readonly T[]) => R },
): { readonly left: readonly T[]; readonly made: R; readonly perDocument: number } {
  for (let most = perDocument; ; most *= 2) {
    const left = limitPerDocument(items, most, by.documentOf);
    const made = by.make(left);
    const isFull = made.candidates.length >= fillTo || left.length === items.length;
    if (isFull) return { left, made, perDocument: most };
  }
}

/** Weight of a part's own words relative to its words with the keywords: docs/quality.md, "Tried and dropped". */
const OWN_SHARE = 0.4;

/** By section id: its score divided by the best score. */
export function sharesOf({ candidates }: Ranking): ReadonlyMap<string, number> {
  const best = candidates[0]?.score || 1;
  return new Map(candidates.map(({ section, score }) => [section.id, score / best]));
}

/** Merges a part's lists with keywords and by own words; keywords alone would find the same sections for each part. */
export function mergeRankings(whole: Ranking, own: Ranking, limits: RankLimits): RankedCandidate[] {
  const [inWhole, inOwn] = [sharesOf(whole), sharesOf(own)];
  const found = new Map([...own.candidates, ...whole.candidates].map((each) => [each.section.id, each]));
  const scored = [...found.values()].map((candidate) => {
    const { id } = candidate.section;
    const withKeywords = (1 - OWN_SHARE) * (inWhole.get(id) ?? 0);
    const ownWords = OWN_SHARE * (inOwn.get(id) ?? 0);
    const shares = { with_keywords: withKeywords, own_words: ownWords };
    return { ...candidate, score: withKeywords + ownWords, shares };
  });
  scored.sort((a, b) => b.score - a.score || (a.section.id < b.section.id ? -1 : 1));
  const { left } = fillPerDocument(scored, limits, {
    documentOf: ({ document }) => document.path,
    make: (candidates) => ({ candidates }),
  });
  return left.slice(0, limits.sections);
}

/** A duplicate is replaced by the section already shown; each section appears once. */
function shownOnce(candidates: readonly RankedCandidate[], repetitions: Repetitions): RankedCandidate[] {
  const byId = new Map<string, RankedCandidate>();
  for (const candidate of candidates) {
    const { section, document } = repetitions.shownFor(candidate) ?? candidate;
    if (!byId.has(section.id)) byId.set(section.id, { ...candidate, section, document });
  }
  return [...byId.values()];
}

/** Uses the same version of a section in all lists: the version in the first list that has one. */
export function sameVersions(rankings: readonly Ranking[]): Ranking[] {
  if (rankings.length < 2) return [...rankings];
  // Variants of one text are kept: each list contains only one of them, and the choice can depend on the part.
  const repetitions = new Repetitions(rankings[0]?.collapse ?? {}, false);
  return rankings.map((ranking) => ({ ...ranking, candidates: shownOnce(ranking.candidates, repetitions) }));
}
