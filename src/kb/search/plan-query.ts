import type { AskedWords } from '../../core/ports/section-index.port.js';
import type { QueryPart } from '../../core/ranking.js';
import { identifierIn } from '../../text/terms/identifiers.js';
import {
  frequentTerms,
  isFunctionTerm,
  isQuestionTerm,
  isStopTerm,
  languageOf,
} from '../../text/terms/languages.js';
import { queryTerms, type QueryWord, queryWords, wordTerms } from '../../text/terms/search-terms.js';
import { isVersion, otherSpelling, readSubject } from './read-subject.js';
import { isNumeronym } from './resolve-words.js';
import { nameOf } from './score-hits.js';

/** A caller's question. */
export interface Question {
  readonly text: string;
  /** Words that the documents probably use. They have the same weight as words of the question. */
  readonly keywords: readonly string[];
  /** Sub-questions, searched separately; empty for a question of one part. */
  readonly parts: readonly string[];
  /** True if words such as "how do I" may be dropped, misspelt words corrected and acronyms expanded. */
  readonly rewrite: boolean;
}

const QUOTED = /`[^`]+`|"[^"]+"|“[^”]+”|(?<![\p{L}\p{N}])'[^'\n]{3,200}'(?![\p{L}\p{N}])/gu;
// Words with characters other than letters, or with inner capitals: commands, flags, paths, identifiers, versions.
const TECHNICAL =
  /[\p{L}\p{N}][_./\\:-]{1,2}[\p{L}\p{N}]|^--?\p{L}|^\.{0,2}\/\p{L}|\p{Ll}\p{Lu}|\p{L}\p{N}|^\p{Lu}[\p{Lu}\p{N}_]{2,}\P{L}*$/u;
const ACRONYM = /(?<![\p{L}\p{N}_-])(\p{Lu}[\p{Lu}\p{N}]{1,7})s?(?![\p{L}\p{N}_-])/gu;
/** Shorter words have too many similar words. */
const CORRECTABLE = /^\p{L}{5,}$/u;
/** A word that is the whole question is also completed. */
const COMPLETABLE = /^\p{L}{4,}$/u;
const MAX_ACRONYMS = 4;
const MAX_PHRASES = 4;
/** The second word may be the first of the next pair. Scripts without spaces have no neighbouring words. */
const NEIGHBOURS = /(?<![\p{L}\p{N}_.:/@-])(\p{L}{2,20}) (?=(\p{L}{2,20})(?![\p{L}\p{N}_-]|[.:/]\p{L}))/gu;
const MAX_JOINED = 12;
/** Finding similar words takes a few milliseconds for each word. */
const MAX_CORRECTABLE = 12;

/** Terms that are never rewritten. */
function verbatimTerms(text: string): ReadonlySet<string> {
  const technical = text.split(/\s+/).filter((word) => TECHNICAL.test(word));
  const pieces = [...(text.match(QUOTED) ?? []), ...technical];
  return new Set(pieces.flatMap(queryTerms));
}

/** Each term once, at its first position. Of two words with the same term, the one with more parts is kept. */
function distinct(words: readonly QueryWord[]): QueryWord[] {
  const byTerm = new Map<string, QueryWord>();
  for (const word of words) {
    const known = byTerm.get(word.term);
    if (!known || known.parts.length < word.parts.length) byTerm.set(word.term, word);
  }
  return [...byTerm.values()];
}

function phrasesIn(text: string): string[][] {
  return (text.match(QUOTED) ?? [])
    .map(queryTerms)
    .filter((terms) => terms.length > 1)
    .slice(0, MAX_PHRASES);
}

/** Neighbouring words as one term, because documents may write `max retries` as an identifier. */
function joinedTerms(text: string): string[] {
  const pairs = Array.from(
    text.matchAll(NEIGHBOURS),
    ([, first = '', second = '']) => [first, second] as const,
  );
  const telling = pairs.filter((pair) => pair.every((word) => !queryTerms(word).some(isFunctionTerm)));
  const terms = telling.flatMap(([first, second]) => queryWords(`${first}${second}`.toLowerCase()));
  return [...new Set(terms.map(({ term }) => term))].slice(0, MAX_JOINED);
}

/** Acronyms outside quotes. */
function acronymsIn(text: string): string[] {
  const found = [...text.replaceAll(QUOTED, ' ').matchAll(ACRONYM)].map(([, short = '']) => short);
  return [...new Set(found)].slice(0, MAX_ACRONYMS);
}

function wholeText(text: string, { keywords }: Question): string {
  return [text, ...keywords].join(' ');
}

/** Counts the terms that a text repeats. */
function repeatedTerms(words: readonly QueryWord[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { term } of words) times.set(term, (times.get(term) ?? 0) + 1);
  return new Map([...times].filter(([, count]) => count > 1));
}

const ASKS_FOR_CHANGES =
  /\b(?:chang(?:e[ds]?|es|ing|elog)|release[ds]?|versions?|new|news|since|introduced|added|removed|deprecat\w{1,10}|upgrad\w{1,4}|migrat\w{1,5}|breaking|latest|history|announc\w{1,8}|blog)\b/i;

/** True if a list of changes may answer a question. */
export function asksForChanges(question: string): boolean {
  return ASKS_FOR_CHANGES.test(question);
}

const termIn = (word: string): string => queryWords(word)[0]?.term ?? '';

/** The name that a question is about. A question such as "what does --force do" is searched like the name alone. */
function readName(text: string): Pick<AskedWords, 'name' | 'identifier' | 'subject'> {
  const subject = readSubject(text);
  const { names: [only = '', second] = [], beside = [] } = subject ?? {};
  const isAlone = only !== '' && second === undefined && beside.length === 0 && !isVersion(only);
  return isAlone
    ? { name: nameOf(only), identifier: only, subject }
    : { name: nameOf(text), identifier: identifierIn(text), subject };
}

function readWords(text: string, question: Question): AskedWords {
  const whole = wholeText(text, question);
  const asked = distinct(queryWords(text));
  const verbatim = verbatimTerms(whole);
  const added = question.keywords.flatMap((keyword) => queryWords(keyword));
  const name = readName(text);
  const isAboutChanges = asksForChanges(text);
  const versions = isAboutChanges ? (name.subject?.names ?? []).filter(isVersion) : [];
  const spellings = new Map(versions.map((version) => [termIn(version), termIn(otherSpelling(version))]));
  const language = languageOf(text);
  const frequent = frequentTerms(language);
  const telling = asked.filter(({ term }) => verbatim.has(term) || !(isStopTerm(term) || frequent.has(term)));
  const bare = question.rewrite
    ? telling.filter(({ term }) => verbatim.has(term) || !isQuestionTerm(term))
    : telling;
  // A question never loses all its words.
  const own = added.length > 0 ? bare : ([bare, telling, asked].find((list) => list.length > 0) ?? []);
  const words = distinct([...own, ...added]);
  const terms = words.flatMap(wordTerms);
  const isOneWord = asked.length === 1 && words.length === 1;
  const pattern = isOneWord ? COMPLETABLE : CORRECTABLE;
  const correctable = terms
    .filter((term) => isNumeronym(term) || (pattern.test(term) && !verbatim.has(term)))
    .slice(0, MAX_CORRECTABLE);
  const rewriting = question.rewrite
    ? { correctable, acronyms: acronymsIn(whole) }
    : { correctable: [], acronyms: [] };
  const joined = [text, ...question.keywords].flatMap(joinedTerms);
  const times = repeatedTerms(queryWords(text));
  const isForeign = language !== 'en';
  return {
    ...{ words, isForeign, isOneWord, times, joined, phrases: phrasesIn(whole), ...rewriting },
    takesSynonyms: question.rewrite,
    ...{ ...name, isAboutChanges, ...(spellings.size > 0 ? { spellings } : {}) },
  };
}

function planPart(text: string, question: Question): QueryPart {
  const hasOwn = question.parts.length > 1 && question.keywords.length > 0;
  return {
    question: text,
    text: wholeText(text, question),
    asked: readWords(text, question),
    own: hasOwn ? readWords(text, { ...question, keywords: [] }) : null,
  };
}

/** Turns a question into the terms to search for, part by part. */
export function planQuery(question: Question): { readonly parts: readonly [QueryPart, ...QueryPart[]] } {
  const [first = question.text, ...others] = question.parts;
  return { parts: [planPart(first, question), ...others.map((text) => planPart(text, question))] };
}
