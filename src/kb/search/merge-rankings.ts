import type { RankedCandidate, Ranking } from '../../core/ranking.js';
import { fillPerDocument, type RankLimits } from './limit-per-document.js';
import { Repetitions } from './same-elsewhere.js';

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
