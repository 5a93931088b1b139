import type { AskedWords } from '../../core/ports/section-index.port.js';
import type { QueryPart } from '../../core/ranking.js';
import { type QueryWord, queryWords, wordTerms } from '../../text/search-terms.js';
import { isQuestionTerm, isStopTerm } from '../../text/stop-words.js';

/** What a caller asks. */
export interface Question {
  readonly text: string;
  /** Words that the documents probably use; they weigh like words of the question. */
  readonly keywords: readonly string[];
  /** Sub-questions, searched apart; none means that the question is one. */
  readonly parts: readonly string[];
  /** Whether the wrapping of a question may be taken off, and its words read as what the documents call them. */
  readonly rewrite: boolean;
}

/** How a question is searched. */
export interface QueryPlan {
  readonly parts: readonly QueryPart[];
}

/** The first of these lists that is not empty: never prune a question to nothing. */
function firstNonEmpty<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  return lists.find((list) => list.length > 0) ?? [];
}

const QUOTED = /`[^`]+`|"[^"]+"|“[^”]+”|(?<![\p{L}\p{N}])'[^'\n]{3,200}'(?![\p{L}\p{N}])/gu;
// A word that holds more than letters, or capitals within it: commands, flags, paths, identifiers, versions.
const TECHNICAL =
  /[\p{L}\p{N}][_./\\:-]{1,2}[\p{L}\p{N}]|^--?\p{L}|^\.{0,2}\/\p{L}|\p{Ll}\p{Lu}|^\p{Lu}[\p{Lu}\p{N}_]{2,}\P{L}*$/u;
const ACRONYM = /(?<![\p{L}\p{N}_-])(\p{Lu}[\p{Lu}\p{N}]{1,7})s?(?![\p{L}\p{N}_-])/gu;
/** Shorter words have too many neighbours. */
const CORRECTABLE = /^\p{L}{5,}$/u;
const MAX_ACRONYMS = 4;
const MAX_PHRASES = 4;
/** Looking for neighbours takes a few milliseconds each. */
const MAX_CORRECTABLE = 12;

/** Terms that the rewriter leaves alone. */
function verbatimTerms(text: string): ReadonlySet<string> {
  const technical = text.split(/\s+/).filter((word) => TECHNICAL.test(word));
  const pieces = [...(text.match(QUOTED) ?? []), ...technical];
  return new Set(pieces.flatMap(termsOf));
}

/** Each word once, where it stands first; of two that are one term the one that has parts. */
function distinct(words: readonly QueryWord[]): QueryWord[] {
  const byTerm = new Map<string, QueryWord>();
  for (const word of words) {
    const known = byTerm.get(word.term);
    if (!known || known.parts.length < word.parts.length) byTerm.set(word.term, word);
  }
  return [...byTerm.values()];
}

const quotedIn = (text: string): readonly string[] => text.match(QUOTED) ?? [];
const termsOf = (text: string): string[] => queryWords(text).flatMap(wordTerms);

function phrasesOf(text: string): string[][] {
  return quotedIn(text)
    .map(termsOf)
    .filter((terms) => terms.length > 1)
    .slice(0, MAX_PHRASES);
}

/** What a rewriter may touch: never what is quoted. */
function acronymsIn(text: string): string[] {
  const found = [...text.replaceAll(QUOTED, ' ').matchAll(ACRONYM)].map(([, short = '']) => short);
  return [...new Set(found)].slice(0, MAX_ACRONYMS);
}

function wholeText(text: string, { keywords }: Question): string {
  return [text, ...keywords].join(' ');
}

function readWords(text: string, question: Question): AskedWords {
  const whole = wholeText(text, question);
  const asked = distinct(queryWords(text));
  const verbatim = verbatimTerms(whole);
  const added = question.keywords.flatMap((keyword) => queryWords(keyword));
  const telling = asked.filter(({ term }) => verbatim.has(term) || !isStopTerm(term));
  const bare = question.rewrite
    ? telling.filter(({ term }) => verbatim.has(term) || !isQuestionTerm(term))
    : telling;
  const own = added.length > 0 ? bare : firstNonEmpty(bare, telling, asked);
  const words = distinct([...own, ...added]);
  const terms = words.flatMap(wordTerms);
  const correctable = terms
    .filter((term) => CORRECTABLE.test(term) && !verbatim.has(term))
    .slice(0, MAX_CORRECTABLE);
  const rewriting = question.rewrite
    ? { correctable, acronyms: acronymsIn(whole) }
    : { correctable: [], acronyms: [] };
  return { words, phrases: phrasesOf(whole), ...rewriting };
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
export function planQuery(question: Question): QueryPlan {
  const texts = question.parts.length > 0 ? question.parts : [question.text];
  return { parts: texts.map((text) => planPart(text, question)) };
}
