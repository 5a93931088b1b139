import type { Ranking } from '../../core/ranking.js';
import {
  frequentTerms,
  isStopTerm,
  type Language,
  languageOf,
  sectionLanguage,
} from '../../text/terms/languages.js';
import { queryTerms, queryWords, searchTerms } from '../../text/terms/search-terms.js';
import type { Answerable } from '../evidence.schemas.js';
import { inverseFrequency } from '../search/bm25.js';
import { askedQuantity } from './answer-cues.js';
import type { ReadSection } from './sections/read-section.js';

/** Polish, whose words have too many endings, and languages that Pith does not know. */
const UNCERTAIN: ReadonlySet<Language> = new Set(['pl', 'und']);
const UNSPACED: ReadonlySet<Language> = new Set(['zh', 'ja']);

/** The words that a text without spaces consists of, of two or more characters. */
function wordsWithin(text: string, language: Language): string[] {
  const segments = new Intl.Segmenter(language, { granularity: 'word' }).segment(text);
  return Array.from(segments).flatMap(({ segment, isWordLike }) =>
    isWordLike && segment.length > 1 ? [segment] : [],
  );
}

/**
 * Query terms whose absence from the corpus suggests that there is no answer. In Chinese and Japanese, those are pairs of
 * characters within a word: the others are chance neighbours.
 */
export function tellingAbsence(question: string, language: Language): readonly string[] {
  if (UNCERTAIN.has(language)) return [];
  if (!UNSPACED.has(language)) return queryTerms(question);
  const frequent = frequentTerms(language);
  return wordsWithin(question, language)
    .flatMap(queryTerms)
    .filter((term) => !frequent.has(term));
}

/** Number of top sections that are read. */
const TOP_SECTIONS = 6;
/** The BM25 score that counts as certain. */
const SURE_SCORE = 60;
/** Below this number of sections, BM25 scores are too small to mean anything. */
const FEW_SECTIONS = 100;
/** Sentences before and after a sentence that are read with it. */
const BEFORE = 1;
const AFTER = 2;
/** Round numbers, because the measured sets are too small for more digits: docs/quality.md has the precision of each. */
const LIKELY_FROM = 0.7;
const UNLIKELY_BELOW = 0.5;
/** Quotes with less of the chance of an answer are not `likely` to have it: it is spread over more than is quoted. */
const LEAST_QUOTED = 0.45;
/** The weight of a named thing that occurs in the documents, but not in the top sections. */
const NAMED_ELSEWHERE = 0.5;
/** The same for a word of another language that no document contains: they may have it in another form, or in a compound. */
const ABSENT_FOREIGN = 0.5;

// Words with mixed case, acronyms, and words with digits.
const NAMED = /\p{Ll}\p{Lu}|^\P{L}*\p{Lu}{2,}\P{L}*$|\p{N}/u;
// Words joined by a mark, as in `long-lived`, `app.mount` and `response_model`.
const JOINED = /[\p{L}\p{N}]+(?:(?:[-_.]|::)[\p{L}\p{N}]+)+/gu;

/** Words that name something: `NAMED` words, and with `byCapital`, words that are capitalised within a sentence. */
function namedTerms(text: string, byCapital: boolean): ReadonlySet<string> {
  const words = text.split(/\s+/);
  const named = words.filter((word, i) => {
    const isWithin = i > 0 && /[\p{L}\p{N},;:]$/u.test(words[i - 1]?.slice(-1) ?? '');
    return NAMED.test(word) || (byCapital && isWithin && /^\p{Lu}/u.test(word));
  });
  return new Set(named.flatMap(queryTerms));
}

/** The words that were joined by a mark, as one term. Their parts are terms too. */
function joinedTerms(text: string): ReadonlySet<string> {
  const words = (text.match(JOINED) ?? []).flatMap(queryWords);
  return new Set(words.flatMap(({ term, parts }) => (parts.length > 0 ? [term] : [])));
}

/** A question's terms with their weights. */
type Weights = ReadonlyMap<string, number>;

function sumOf(terms: Iterable<string>, weights: Weights): number {
  let sum = 0;
  for (const term of terms) sum += weights.get(term) ?? 0;
  return sum;
}

function shareOf(terms: Iterable<string>, weights: Weights): number {
  const all = sumOf(weights.keys(), weights);
  return all === 0 ? 0 : sumOf(terms, weights) / all;
}

/** A question, and what its words say about it. */
interface Asked {
  readonly ranking: Ranking;
  readonly named: ReadonlySet<string>;
  /** The terms without those of the keywords. */
  readonly own: ReadonlySet<string>;
  /** The own terms that count even if no document contains them. */
  readonly telling: ReadonlySet<string>;
  /** The weight of such a term, unless it names something. */
  readonly absence: number;
}

function readAsked(ranking: Ranking, sections: readonly ReadSection[]): Asked {
  const { part, rewrites } = ranking;
  const language = languageOf(part.question);
  // Documents in English may use other words than a question in another language.
  const isShared = language === 'en' || sections.some(({ text }) => sectionLanguage(text) === language);
  const withForms = (terms: Iterable<string>): ReadonlySet<string> =>
    new Set(
      [...terms].flatMap((term) => [term, ...rewrites.flatMap(({ from, to }) => (from === term ? to : []))]),
    );
  return {
    ranking,
    named: withForms(namedTerms(part.text, isShared && language !== 'de')),
    own: withForms(queryTerms(part.question)),
    telling: isShared ? withForms(tellingAbsence(part.question, language)) : new Set(),
    absence: language === 'en' ? 1 : ABSENT_FOREIGN,
  };
}

/** Rare terms weigh more. A term that no document contains counts if it is telling, a name, or of a keyword. */
function weigh(terms: readonly string[], { ranking, named, own, telling, absence }: Asked): Weights {
  const { documentFrequency, sectionCount, part } = ranking;
  const joined = joinedTerms(part.text);
  // With few sections, a term that one of them contains would weigh much less than a term of none.
  const count = Math.max(sectionCount, FEW_SECTIONS);
  const shareOfWeight = (term: string): number => {
    if ((documentFrequency[term] ?? 0) > 0) return 1;
    if (joined.has(term)) return 0;
    if (!own.has(term) || named.has(term)) return 1;
    return telling.has(term) ? absence : 0;
  };
  const weightOf = (term: string): number => inverseFrequency(documentFrequency[term] ?? 0, count);
  return new Map(terms.map((term) => [term, shareOfWeight(term) * weightOf(term)]));
}

/** Share of the names that the top sections contain; 1 if there are no names. */
function shareOfNames({ ranking, named }: Asked, weights: Weights, held: ReadonlySet<string>): number {
  const names = [...weights.keys()].filter((term) => named.has(term));
  const all = sumOf(names, weights);
  if (all === 0) return 1;
  const isKnown = (term: string): boolean => (ranking.documentFrequency[term] ?? 0) > 0;
  const found = sumOf(
    names.filter((term) => held.has(term)),
    weights,
  );
  const elsewhere = sumOf(
    names.filter((term) => !held.has(term) && isKnown(term)),
    weights,
  );
  return (found + NAMED_ELSEWHERE * elsewhere) / all;
}

/**
 * Highest share of the terms in a few sentences below their headings. If the question asks for a quantity, only single
 * sentences that state such a quantity count.
 */
function bestPassage(question: string, sections: readonly ReadSection[], weights: Weights): number {
  const states = askedQuantity(question);
  const shares = sections.flatMap(({ text, headingTerms, units }) => {
    const shareOfHeadings = shareOf(headingTerms, weights);
    return units.map(({ start, end }, i) => {
      if (states && !states(text.slice(start, end))) return 0;
      const near = states ? [units[i]] : units.slice(Math.max(0, i - BEFORE), i + AFTER + 1);
      if (near.every((unit) => unit?.counts.size === 0)) return shareOfHeadings;
      const terms = new Set(headingTerms);
      for (const unit of near) for (const term of unit?.counts.keys() ?? []) terms.add(term);
      return shareOf(terms, weights);
    });
  });
  return Math.max(0, ...shares);
}

/** The best section's BM25 score on a logarithmic scale, up to 1. In a small corpus, its share of the terms instead. */
function strengthOf({ candidates, sectionCount }: Ranking, bestShare: number): number {
  const score = Math.log1p(Math.max(0, candidates[0]?.lexical ?? 0)) / Math.log1p(SURE_SCORE);
  return Math.min(1, sectionCount < FEW_SECTIONS ? Math.max(score, bestShare) : score);
}

function confidenceIn(terms: readonly string[], asked: Asked, sections: readonly ReadSection[]): number {
  const weights = weigh(terms, asked);
  const held = sections.map(
    ({ headingTerms, units }) =>
      new Set([...headingTerms, ...units.flatMap(({ counts }) => [...counts.keys()])]),
  );
  const together = new Set(held.flatMap((found) => [...found]));
  const bestShare = Math.max(0, ...held.map((found) => shareOf(found, weights)));
  if (bestShare === 0) return 0;
  return (
    0.3 * bestPassage(asked.ranking.part.question, sections, weights) +
    0.4 * shareOfNames(asked, weights, together) +
    0.3 * strengthOf(asked.ranking, bestShare)
  );
}

/** False if the question has one content word and the best section's title does not contain it. */
function isSpecific({ terms, candidates }: Ranking): boolean {
  const telling = terms.filter((term) => !isStopTerm(term));
  const title = searchTerms(candidates[0]?.section.title ?? '');
  return telling.length > 1 || telling.some((term) => title.includes(term));
}

/**
 * Confidence that the top sections contain an answer, 0 to 1. Adds the share of the question's terms in a few sentences
 * (.3), the share of named things in all sections (.4), and the best score (.3). Keywords cannot make a question
 * `unlikely` that is not so by its own words.
 * @param sections  best first
 */
export function confidenceOf(ranking: Ranking, sections: readonly ReadSection[]): number {
  const top = sections.slice(0, TOP_SECTIONS);
  const asked = readAsked(ranking, top);
  const own = ranking.terms.filter((term) => asked.own.has(term));
  const whole = confidenceIn(ranking.terms, asked, top);
  const least = own.length < ranking.terms.length ? confidenceIn(own, asked, top) : 0;
  const confidence = Math.max(whole, Math.min(least, UNLIKELY_BELOW));
  return isSpecific(ranking) ? confidence : belowLikely(confidence);
}

const belowLikely = (confidence: number): number => Math.min(confidence, LIKELY_FROM - 0.01);

/** Confidence that quotes contain an answer. @param quoted  the chance that they do if the sections do */
export function confidenceInQuotes(confidence: number, quoted: number): number {
  return quoted < LEAST_QUOTED ? belowLikely(confidence) : confidence;
}

/** The confidence of the worst part. An answer to the whole is `unlikely` only if that of every part is. */
export function confidenceOfParts(parts: readonly number[]): number {
  const worst = Math.min(...parts);
  return Math.max(...parts) >= UNLIKELY_BELOW ? Math.max(worst, UNLIKELY_BELOW) : worst;
}

export function answerableFrom(confidence: number): Answerable {
  if (confidence >= LIKELY_FROM) return 'likely';
  return confidence < UNLIKELY_BELOW ? 'unlikely' : 'unsure';
}
