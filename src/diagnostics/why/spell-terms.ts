import { searchTerms } from '../../text/search-terms.js';

/**
 * Terms as somebody wrote them, since a stem (`instal`) reads like a slip.
 * @param texts  what was asked
 * @returns in the order of the terms; a term that is part of a longer word, or was rewritten, stays as it is
 */
export function spellTerms(terms: readonly string[], texts: readonly string[]): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const word of texts.join(' ').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    const [term, ...more] = new Set(searchTerms(word));
    if (term !== undefined && more.length === 0 && !written.has(term)) written.set(term, word);
  }
  return new Map(terms.map((term) => [term, written.get(term) ?? term]));
}
