import { searchTerms } from '../text/search-terms.js';
import type { StemMemo } from '../text/search-terms.js';
import type { Ranking } from './rank-sections.js';

export const ANSWERABLE = ['likely', 'unsure', 'unlikely'] as const;
export type Answerable = (typeof ANSWERABLE)[number];

/** Sections whose words count as found. */
const TOP_SECTIONS = 5;
/** A BM25 score that leaves no doubt; it grows with the length of a question, so it weighs least. */
const SURE_SCORE = 25;
/**
 * On 98 answerable and 20 unanswerable questions over 240 pages: 82 % and 10 % were `likely`, 1 % and 55 %
 * `unlikely`. Round numbers, since so few questions decide no second digit.
 */
const LIKELY_FROM = 0.8;
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

function inverseFrequency({ sectionCount, documentFrequency }: Ranking, term: string): number {
  const df = documentFrequency[term] ?? 0;
  return Math.log(1 + (sectionCount - df + 0.5) / (df + 0.5));
}

/** Share of the terms' mass that the text holds; 1 when there are no terms. */
function massFound(terms: readonly string[], held: ReadonlySet<string>, ranking: Ranking): number {
  const weigh = (list: readonly string[]) =>
    list.reduce((sum, term) => sum + inverseFrequency(ranking, term), 0);
  const all = weigh(terms);
  return all === 0 ? 1 : weigh(terms.filter((term) => held.has(term))) / all;
}

/**
 * How sure we are that the top sections hold an answer, 0 to 1: .4 the mass of the question's terms found in them,
 * .4 the same for named things, .2 the best score (measured in the project's retrieval notes: AUROC .87).
 */
export function confidenceOf(ranking: Ranking): number {
  const top = ranking.candidates.slice(0, TOP_SECTIONS);
  if (top.length === 0) return 0;
  const texts = top.map(({ section }) => `${section.headingPath.join(' ')} ${section.text}`);
  const memo: StemMemo = new Map();
  const held = new Set(texts.flatMap((text) => searchTerms(text, false, memo)));
  const named = [...new Set(namedWords(ranking.part.text).flatMap((name) => searchTerms(name, true)))];
  const wanted = named.filter((term) => ranking.part.terms.includes(term));
  const best = Math.min(1, (top[0]?.lexical ?? 0) / SURE_SCORE);
  return (
    0.4 * massFound(ranking.part.terms, held, ranking) + 0.4 * massFound(wanted, held, ranking) + 0.2 * best
  );
}

/** Puts a confidence into words. */
export function answerableFrom(confidence: number): Answerable {
  if (confidence >= LIKELY_FROM) return 'likely';
  return confidence < UNLIKELY_BELOW ? 'unlikely' : 'unsure';
}
