import type { Ranking } from '../../core/ranking.js';
import { queryWords, searchTerms, wordTerms } from '../../text/search-terms.js';
import { isStopTerm } from '../../text/stop-words.js';
import { inverseFrequency } from '../search/weigh-terms.js';

export const ANSWERABLE = ['likely', 'unsure', 'unlikely'] as const;
export type Answerable = (typeof ANSWERABLE)[number];

/** Sections whose words count as found. */
const TOP_SECTIONS = 5;
/** A BM25 score that leaves no doubt, for questions of many words. */
const SURE_SCORE = 25;
/** The same for short questions: this share of what the terms can give a section (each k1 + 1 times its weight). */
const SURE_SHARE = 0.8;
const MOST_PER_WEIGHT = 2.2;
/** Round numbers, since so few questions decide no second digit: docs/quality.md has how often each is right. */
const LIKELY_FROM = 0.75;
const UNLIKELY_BELOW = 0.6;

// Mixed case, an acronym, or a digit in it.
const NAMED = /\p{Ll}\p{Lu}|^\P{L}*\p{Lu}{2,}\P{L}*$|\p{N}/u;

/** Words that name something: such a word, or one that is capitalised within a sentence. */
function namedWords(text: string): string[] {
  const words = text.split(/\s+/);
  return words.filter((word, i) => {
    const isWithin = i > 0 && /[\p{L}\p{N},;:]$/u.test(words[i - 1]?.slice(-1) ?? '');
    return NAMED.test(word) || (isWithin && /^\p{Lu}/u.test(word));
  });
}

function massOf(terms: readonly string[], { documentFrequency, sectionCount }: Ranking): number {
  return terms.reduce((sum, term) => sum + inverseFrequency(documentFrequency[term] ?? 0, sectionCount), 0);
}

function sureScore(ranking: Ranking): number {
  return Math.min(SURE_SCORE, SURE_SHARE * MOST_PER_WEIGHT * massOf(ranking.terms, ranking)) || SURE_SCORE;
}

/** Share of the terms' mass that the text holds; 1 when there are no terms. */
function massFound(terms: readonly string[], held: ReadonlySet<string>, ranking: Ranking): number {
  const all = massOf(terms, ranking);
  const found = terms.filter((term) => held.has(term));
  return all === 0 ? 1 : massOf(found, ranking) / all;
}

/** One word says too little of what is asked for, unless a section is about it. */
function isTelling({ terms, candidates }: Ranking): boolean {
  const telling = terms.filter((term) => !isStopTerm(term));
  const title = searchTerms(candidates[0]?.section.title ?? '');
  return telling.length > 1 || telling.some((term) => title.includes(term));
}

/**
 * Confidence that the top sections contain an answer, 0 to 1: .2 the weight of the question's terms in all of them,
 * .2 in the best one, .3 the weight of named things in them, .3 the best score.
 * @param held  the question's terms in each section, best section first
 */
export function confidenceOf(ranking: Ranking, held: readonly ReadonlySet<string>[]): number {
  const top = held.slice(0, TOP_SECTIONS);
  if (top.length === 0) return 0;
  const together = new Set(top.flatMap((terms) => [...terms]));
  const named = new Set(namedWords(ranking.part.text).flatMap((name) => queryWords(name).flatMap(wordTerms)));
  const wanted = ranking.terms.filter((term) => named.has(term));
  const confidence =
    0.2 * massFound(ranking.terms, together, ranking) +
    0.2 * Math.max(0, ...top.map((terms) => massFound(ranking.terms, terms, ranking))) +
    0.3 * massFound(wanted, together, ranking) +
    0.3 * Math.min(1, (ranking.candidates[0]?.lexical ?? 0) / sureScore(ranking));
  return isTelling(ranking) ? confidence : Math.min(confidence, LIKELY_FROM - 0.01);
}

/** Puts a confidence into words. */
export function answerableFrom(confidence: number): Answerable {
  if (confidence >= LIKELY_FROM) return 'likely';
  return confidence < UNLIKELY_BELOW ? 'unlikely' : 'unsure';
}
