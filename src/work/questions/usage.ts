import { decodePath, pagePath } from '../../core/section-id.js';
import { clipText } from '../../text/span.js';
import { frequentTerms, isQuestionTerm, isStopTerm, languageOf } from '../../text/terms/languages.js';
import { queryWords } from '../../text/terms/search-terms.js';
import { needsByGap } from './gap.js';
import { collectNeeds, findUnanswered, isUnanswered, type KeptQuestion, type Need } from './question.js';

const DAY_MS = 86_400_000;
/** The Monday before the epoch. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
export const WEEK_MS = 7 * DAY_MS;
const MAX_WEEKS = 53;
/** Rows of each list. */
const MAX_ROWS = 20;
const MAX_TEXT = 200;

/** A question with those that ask it again, and if it counts as answered. */
export interface UsedNeed extends Need {
  readonly isAnswered: boolean;
}

/** Tells for each question if it counts as answered, as the lists of gaps do. */
export function readNeeds(questions: readonly KeptQuestion[]): UsedNeed[] {
  const needs = collectNeeds(questions);
  const ofGaps = [...needsByGap(needs).values()].flatMap(findUnanswered);
  const alone = needs.filter((need) => need.root.gap === '' && isUnanswered(need));
  const missed = new Set([...ofGaps, ...alone]);
  return needs.map((need) => ({ ...need, isAnswered: !missed.has(need) }));
}

interface Row {
  readonly name: string;
  readonly asked: number;
  readonly answered: number;
}

/** Counts needs by names. Of names with one key, the last is shown. @returns in the order of the first ones */
function count(needs: readonly UsedNeed[], namesOf: (need: UsedNeed) => Iterable<readonly [string, string]>) {
  const rows = new Map<string, Row>();
  for (const need of needs)
    for (const [key, name] of namesOf(need)) {
      const { asked, answered } = rows.get(key) ?? { asked: 0, answered: 0 };
      rows.set(key, { name, asked: asked + 1, answered: answered + (need.isAnswered ? 1 : 0) });
    }
  return [...rows.values()];
}

const mostFirst = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => b.asked - a.asked || (a.name < b.name ? -1 : 1)).slice(0, MAX_ROWS);

/** The start of a week, UTC (ms since the epoch). */
export const mondayBefore = (ms: number): number =>
  FIRST_MONDAY_MS + Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;

const startOfWeek = ({ root }: Need): string =>
  new Date(mondayBefore(root.askedAt)).toISOString().slice(0, 10);

const folded = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');

const pageIn = (sectionId: string): string => decodePath(pagePath(sectionId));
const quotedPages = ({ asks }: Need): string[] => [...new Set((asks.at(-1)?.quoted ?? []).map(pageIn))];

/** How often questions were asked and answered, in the fields of `pith gaps usage --json`. */
export function usageFacts(needs: readonly UsedNeed[]) {
  const answered = needs.filter(({ isAnswered }) => isAnswered);
  const weeks = count(needs, (need) => [[startOfWeek(need), startOfWeek(need)]]);
  const pages = mostFirst(count(answered, (need) => quotedPages(need).map((page) => [page, page])));
  const questions = mostFirst(
    count(needs, ({ root }) => [[folded(root.text), clipText(root.text, MAX_TEXT)]]),
  );
  return {
    asked: needs.length,
    answered: answered.length,
    weeks: weeks.slice(-MAX_WEEKS).map(({ name: week, ...counts }) => ({ week, ...counts })),
    most_asked: questions.map(({ name: question, ...counts }) => ({ question, ...counts })),
    pages: pages.map(({ name: path, answered: times }) => ({ path, answered: times })),
  };
}

/** The pages that a quote of an answered question is from. */
export const usedPages = (needs: readonly UsedNeed[]): ReadonlySet<string> =>
  new Set(needs.filter(({ isAnswered }) => isAnswered).flatMap(quotedPages));

/** Pages that answered no kept question. */
export interface UnusedPages {
  readonly count: number;
  /** False if there are more documents than were looked through. */
  readonly is_complete: boolean;
  /** The first ones. */
  readonly paths: readonly string[];
}

export const unusedCount = ({ count, is_complete }: UnusedPages): string =>
  `${is_complete ? '' : 'at least '}${count}`;

/** A word that people use. */
export interface AskedWord {
  readonly term: string;
  /** As it was written last. */
  readonly word: string;
  readonly needs: readonly UsedNeed[];
}

const WORD = /(?<![\p{L}\p{N}_.[-])\p{L}[\p{L}\p{M}]{2,63}(?![\p{L}\p{N}_[\]-]|[.:]\p{L})/gu;
/** Fewer say little, and could tell of one person. */
const MIN_NEEDS = 2;
/** Words that are looked up in the documents. */
const MAX_WORDS = 200;

/** The words of texts that tell something, by term. */
function tellingWords(texts: readonly string[]): ReadonlyMap<string, string> {
  const text = texts.join('\n');
  const frequent = frequentTerms(languageOf(text));
  const words = (text.match(WORD) ?? []).flatMap((word) =>
    queryWords(word).map(({ term }) => [term, word] as const),
  );
  return new Map(words.filter(([term]) => !isStopTerm(term) && !isQuestionTerm(term) && !frequent.has(term)));
}

/** The words of at least two questions, the most frequent first. @param textsOf  the texts of a question whose words count */
function groupByTerm(
  needs: readonly UsedNeed[],
  textsOf: (need: UsedNeed) => readonly string[],
): AskedWord[] {
  const words = new Map<string, AskedWord>();
  for (const need of needs)
    for (const [term, word] of tellingWords(textsOf(need)))
      words.set(term, { term, word, needs: [...(words.get(term)?.needs ?? []), need] });
  return [...words.values()]
    .filter((each) => each.needs.length >= MIN_NEEDS)
    .sort((a, b) => b.needs.length - a.needs.length || (a.term < b.term ? -1 : 1));
}

/** The words of questions. */
export const askedWords = (needs: readonly UsedNeed[]): AskedWord[] =>
  groupByTerm(needs, ({ asks }) => asks.map(({ text }) => text)).slice(0, MAX_WORDS);

/** Max suggested synonyms per word. */
const MAX_OTHERS = 3;
/** How much more frequent another word must be beside the word than elsewhere. */
const LIFT = 2;

/** The keywords of agents, which are often words of the documents. */
const keywordsOf = ({ asks }: Need): readonly string[] => asks.flatMap(({ keywords }) => keywords);

/** Words that stand beside a word in several questions, and seldom beside others; the most frequent first. */
export function wordsLike({ term, needs }: AskedWord, all: readonly UsedNeed[]): AskedWord[] {
  const everywhere = new Map(groupByTerm(all, keywordsOf).map((other) => [other.term, other.needs.length]));
  const isTelling = (other: AskedWord): boolean =>
    other.term !== term &&
    other.needs.length / needs.length >= (LIFT * (everywhere.get(other.term) ?? 0)) / all.length;
  return groupByTerm(needs, keywordsOf).filter(isTelling).slice(0, MAX_OTHERS);
}
