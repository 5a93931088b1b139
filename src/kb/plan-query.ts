import { searchTerms } from '../text/search-terms.js';
import { isQuestionTerm, isStopTerm } from './stop-words.js';

/** What a caller asks. */
export interface Question {
  readonly text: string;
  /** Words that the documents probably use; they weigh like words of the question. */
  readonly keywords: readonly string[];
  /** Sub-questions, searched apart; none means that the question is one. */
  readonly parts: readonly string[];
  /** Whether the wrapping of a question may be taken off. */
  readonly rewrite: boolean;
}

/** One thing to search for. */
export interface QueryPart {
  /** The part's words and the keywords, for scoring spans. */
  readonly text: string;
  /** Distinct search terms in order of appearance; empty when the part holds no word at all. */
  readonly terms: readonly string[];
}

/** How a question is searched. */
export interface QueryPlan {
  readonly parts: readonly QueryPart[];
}

/** The first of these lists that is not empty: never prune a question to nothing. */
function firstNonEmpty(...lists: readonly (readonly string[])[]): readonly string[] {
  return lists.find((list) => list.length > 0) ?? [];
}

const QUOTED = /`[^`]+`|"[^"]+"|“[^”]+”/gu;
// A word that holds more than letters, or capitals within it: commands, flags, paths, identifiers, versions.
const TECHNICAL = /[\p{L}\p{N}][_./\\:-][\p{L}\p{N}]|^--?\p{L}|\p{Ll}\p{Lu}/u;

/** Terms that the rewriter leaves alone. */
function verbatimTerms(text: string): ReadonlySet<string> {
  const technical = text.split(/\s+/).filter((word) => TECHNICAL.test(word));
  const pieces = [...(text.match(QUOTED) ?? []), ...technical];
  return new Set(pieces.flatMap((piece) => searchTerms(piece, true)));
}

function planPart(text: string, question: Question): QueryPart {
  const asked = [...new Set(searchTerms(text, true))];
  const verbatim = verbatimTerms(text);
  const added = question.keywords.flatMap((keyword) => searchTerms(keyword, true));
  const telling = asked.filter((term) => !isStopTerm(term));
  const bare = question.rewrite
    ? telling.filter((term) => verbatim.has(term) || !isQuestionTerm(term))
    : telling;
  const own = added.length > 0 ? bare : firstNonEmpty(bare, telling, asked);
  return { text: [text, ...question.keywords].join(' '), terms: [...new Set([...own, ...added])] };
}

/** Turns a question into the terms to search for, part by part. */
export function planQuery(question: Question): QueryPlan {
  const texts = question.parts.length > 0 ? question.parts : [question.text];
  return { parts: texts.map((text) => planPart(text, question)) };
}
