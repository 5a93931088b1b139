import { isFunctionTerm } from '../../text/terms/languages.js';
import { queryTerms } from '../../text/terms/search-terms.js';

const AUXILIARY = '(?:can|could|does|do|did|is|are|was|were|has|have|should|will|would|must|may)';
const SUBJECT =
  '(?:i|we|you|it|they|he|she|one|the|an?|there|th[ei]s|these|those|that|my|our|your|its|their|any|all)';
/** Starts of a question: `how do`, `which file`, `is it`. `when it rains` and `is enabled` are no starts. */
const START = String.raw`(?:(?:in|at|for|on|to|with|under|from|by)\s{1,9})?(?:(?:what|which|who|whose|why|how)\b|(?:where|when)\s{1,9}${AUXILIARY}\b|${AUXILIARY}\s{1,9}${SUBJECT}\b)`;
/** After a question mark, and before `, and how …`, `; or in which …`, `and what does …`. */
const BOUNDARY = new RegExp(
  [
    String.raw`(?<=\?)\s{1,9}|(?<=？)\s{0,9}`,
    String.raw`[,;]\s{1,9}(?:and|or|but)\s{1,9}(?=${START})`,
    String.raw`\s{1,9}and\s{1,9}(?=(?:what|which|who|why|how|where|when)\s{1,9}${AUXILIARY}\b)`,
  ].join('|'),
  'gi',
);
const IS_QUESTION = new RegExp(String.raw`[?？]$|^(?:(?:and|or|but)\s{1,9})?${START}`, 'i');
/** Text in quotation marks is one name or message. */
const QUOTED = /`[^`]{1,500}`|"[^"]{1,500}"|“[^”]{1,500}”/g;
/** More questions than this are a text, not a question. */
const MAX_PARTS = 3;
/** Significant terms of a part that can be searched for alone. */
const MIN_TERMS = 2;

function isSearchable(part: string): boolean {
  const terms = queryTerms(part).filter((term) => !isFunctionTerm(term));
  return new Set(terms).size >= MIN_TERMS;
}

/** The pieces between the boundaries, which are not looked for in quotation marks. */
function pieces(text: string): string[] {
  const searched = text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length));
  let from = 0;
  const found: string[] = [];
  for (const { index, 0: boundary } of searched.matchAll(BOUNDARY)) {
    found.push(text.slice(from, index));
    from = index + boundary.length;
  }
  return [...found, text.slice(from)].map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/**
 * Splits a text that asks two or three questions: several with question marks, or in English, `How do I … , and what …`.
 * A sentence that asks nothing stays with the question before it.
 * @returns the questions; none if it asks only one, more than three, or one with too few words to search for
 */
export function splitQuestion(text: string): string[] {
  const parts: string[] = [];
  for (const piece of pieces(text)) {
    if (parts.length === 0 || IS_QUESTION.test(piece)) parts.push(piece);
    else parts.push(`${parts.pop() ?? ''} ${piece}`);
  }
  return parts.length > 1 && parts.length <= MAX_PARTS && parts.every(isSearchable) ? parts : [];
}
