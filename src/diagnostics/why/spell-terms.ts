import { searchTerms } from '../../text/terms/search-terms.js';

/** Maps terms to words as written in the query, if it has them: a stem (`instal`) looks like a typing error. */
export function spellTerms(terms: readonly string[], texts: readonly string[]): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const word of texts.join(' ').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    const [term, ...more] = new Set(searchTerms(word));
    if (term !== undefined && more.length === 0 && !written.has(term)) written.set(term, word);
  }
  return new Map(terms.map((term) => [term, written.get(term) ?? term]));
}
