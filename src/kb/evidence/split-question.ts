import { queryTerms } from '../../text/terms/search-terms.js';
import { isQuestionTerm, isStopTerm } from '../../text/terms/stop-words.js';

const ASKING =
  'how|what|which|where|when|why|who|whose|can|could|does|do|did|is|are|should|will|would|must|may';
const BEFORE = 'in|at|for|on|to|with|under|from|by';
/** After a question mark, and before `, and how …`, `; or in which …`, `and what …`. */
const BOUNDARY = new RegExp(
  [
    String.raw`(?<=\?)\s{1,9}|(?<=？)\s{0,9}`,
    String.raw`[,;]\s{1,9}(?:and|or|but)\s{1,9}(?=(?:(?:${BEFORE})\s{1,9})?(?:${ASKING})\b)`,
    String.raw`\s{1,9}and\s{1,9}(?=(?:how|what|which|where|when|why|who)\b)`,
  ].join('|'),
  'i',
);
/** More questions than this are a text, not a question. */
const MAX_PARTS = 3;
/** Significant terms of a part that can be searched for alone. */
const MIN_TERMS = 2;

function isSearchable(part: string): boolean {
  const terms = queryTerms(part).filter((term) => !isStopTerm(term) && !isQuestionTerm(term));
  return new Set(terms).size >= MIN_TERMS;
}

/**
 * Splits a text that asks two or three questions: several with question marks, or in English, `How do I … , and what …`.
 * @returns the questions; none if it asks only one, more than three, or one with too few words to search for
 */
export function splitQuestion(text: string): string[] {
  const parts = text
    .split(BOUNDARY)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 1 && parts.length <= MAX_PARTS && parts.every(isSearchable) ? parts : [];
}
