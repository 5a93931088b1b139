import { isQuestionTerm, isStopTerm } from '../../text/stop-words.js';
import { searchTerms } from '../../text/search-terms.js';
import type { StemMemo } from '../../text/search-terms.js';

/** What is left of some terms without those that say nothing; all of them when nothing is. */
function withoutEmptyOnes(terms: readonly string[], isEmpty: (term: string) => boolean): readonly string[] {
  const telling = terms.filter((term) => !isEmpty(term));
  return telling.length > 0 ? telling : terms;
}

/** The terms that a row is embedded by: stems with repeats, function words left out. */
export function rowTerms(text: string, memo?: StemMemo): readonly string[] {
  return withoutEmptyOnes(searchTerms(text, memo), isStopTerm);
}

/** The terms that a question is embedded by: also without what people wrap a question in. */
export function questionTerms(text: string): readonly string[] {
  return withoutEmptyOnes(rowTerms(text), isQuestionTerm);
}
