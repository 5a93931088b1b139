import { ASCII_ONLY, type QueryWord, queryWords } from '../../text/terms/search-terms.js';

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

const FIRST = /[a-z\d]/i;

/**
 * False only if the text can't have this name; much faster than `nameOf`. In ASCII text, stemming keeps the first letter
 * or digit and never makes a word longer. Other text may always have it.
 */
export function mayBeNamed(text: string, name: string): boolean {
  if (!ASCII_ONLY.test(text)) return true;
  return text.length >= name.length && FIRST.exec(text)?.[0].toLowerCase() === name[0];
}
