import { isQuestionTerm, isStopTerm } from '../../text/terms/languages.js';
import { searchTerms, type StemMemo } from '../../text/terms/search-terms.js';

/** Removes stop terms, unless nothing would be left. */
function withoutStopTerms(terms: readonly string[], isStop: (term: string) => boolean): readonly string[] {
  const kept = terms.filter((term) => !isStop(term));
  return kept.length > 0 ? kept : terms;
}

/** The terms for embedding a row: stems with repeats, without function words. */
export function rowTerms(text: string, memo?: StemMemo): readonly string[] {
  return withoutStopTerms(searchTerms(text, memo), isStopTerm);
}

/** The terms for embedding a question: also without question words such as "how". */
export function questionTerms(text: string): readonly string[] {
  return withoutStopTerms(rowTerms(text), isQuestionTerm);
}
