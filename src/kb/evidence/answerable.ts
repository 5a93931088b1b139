import type { Ranking } from '../../core/ranking.js';
import { queryWords, searchTerms, wordTerms } from '../../text/search-terms.js';
import { isStopTerm } from '../../text/stop-words.js';
import type { Answerable } from '../evidence.schemas.js';
import { inverseFrequency } from '../search/weigh-terms.js';

/** Number of top sections that are read. */
const TOP_SECTIONS = 5;
/** The BM25 score that counts as certain, for questions of many words. */
const SURE_SCORE = 25;
/** The same for short questions: a share of the highest possible score, which is k1 + 1 times the weight per term. */
const SURE_SHARE = 0.8;
const MOST_PER_WEIGHT = 2.2;
/** Round numbers, because the measured sets are too small for more digits: docs/quality.md has the precision of each. */
const LIKELY_FROM = 0.75;
const UNLIKELY_BELOW = 0.6;

// Words with mixed case, acronyms, and words with digits.
const NAMED = /\p{Ll}\p{Lu}|^\P{L}*\p{Lu}{2,}\P{L}*$|\p{N}/u;

/** Words that name something: `NAMED` words, and words that are capitalised within a sentence. */
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

/** Share of the terms' mass that is in the text; 1 if there are no terms. */
function massFound(terms: readonly string[], held: ReadonlySet<string>, ranking: Ranking): number {
  const all = massOf(terms, ranking);
  const found = terms.filter((term) => held.has(term));
  return all === 0 ? 1 : massOf(found, ranking) / all;
}

/** False if the question has one content word and the best section's title does not contain it. */
function isTelling({ terms, candidates }: Ranking): boolean {
  const telling = terms.filter((term) => !isStopTerm(term));
  const title = searchTerms(candidates[0]?.section.title ?? '');
  return telling.length > 1 || telling.some((term) => title.includes(term));
}

/**
 * Confidence that the top sections contain an answer, 0 to 1. Adds the share of the question's terms in all of them
 * (.2), the share in one of them (.2), the share of named things in all of them (.3), and the best score (.3).
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

export function answerableFrom(confidence: number): Answerable {
  if (confidence >= LIKELY_FROM) return 'likely';
  return confidence < UNLIKELY_BELOW ? 'unlikely' : 'unsure';
}
