import { type QueryWord, queryWords } from '../../text/terms/search-terms.js';

function stemsOf({ term, parts }: QueryWord): string {
  return parts.length > 0 ? parts.map(stemsOf).join('') : term;
}

/**
 * Folds a title or question for comparison as a whole: stems without spaces, punctuation and capitals, so that
 * `Get-ChildItem` and `get childitem` are equal. Stop words count. @returns an empty string without any word
 */
export function nameOf(text: string): string {
  return queryWords(text).map(stemsOf).join('');
}
