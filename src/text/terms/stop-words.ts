import { searchTerms } from './search-terms.js';

/** English function words, which match everywhere and are the most expensive to score. */
export const FUNCTION_WORDS = `a about after all also am an and any are as at be because been before being below between both but by
  cannot could did do does doing don down during each few for from further had has have having he her here hers him his i if
  in into is it its itself just me more most my no nor not now of off on once only or other our ours out over own s same she
  so some such t than that the their theirs them then there these they this those through to too under until up us very was
  we were what when where which while who whom whose why will with would you your yours d ll m re ve isn doesn didn won`;

/** Words that introduce a question; the query rewriter removes them. */
const QUESTION_WORDS = `can how should want need way possible please tell explain know get make there anything something
  someone ever actually really exactly whether happen happens thing things`;

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).flatMap((word) => searchTerms(word)));
}

const FUNCTION_STEMS = stems(FUNCTION_WORDS);
const QUESTION_STEMS = stems(QUESTION_WORDS);

/** True for the term of an English function word. */
export function isStopTerm(term: string): boolean {
  return FUNCTION_STEMS.has(term);
}

/** True for the term of a word that introduces a question. */
export function isQuestionTerm(term: string): boolean {
  return QUESTION_STEMS.has(term);
}

/** True for the term of a word that says nothing about the subject of a question. */
export function isFunctionTerm(term: string): boolean {
  return isStopTerm(term) || isQuestionTerm(term);
}
