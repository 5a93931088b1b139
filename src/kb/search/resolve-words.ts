import type { AskedWords, Rewrite } from '../../core/ports/section-index.port.js';
import type { QueryWord } from '../../text/search-terms.js';

interface TermLookup {
  /** True if a visible section contains the term. */
  readonly isHeld: (term: string) => boolean;
  /** The probable correction of a term; null if there is none. */
  readonly nearestTo: (term: string) => string | null;
}

/** The terms to look for. */
export interface ResolvedWords {
  /** Distinct. */
  readonly terms: readonly string[];
  readonly rewrites: readonly Rewrite[];
  /** True if parts of identifiers were left out, because the index contains the identifiers. */
  readonly leftPartsOut: boolean;
}

/**
 * Turns words into terms of the index. An identifier that no section contains becomes its parts; a misspelt word that
 * no section contains becomes its correction.
 * @param withParts  true to add the parts of all identifiers, for when the identifiers alone find too little
 */
export function resolveWords(asked: AskedWords, lookup: TermLookup, withParts: boolean): ResolvedWords {
  const terms = new Set<string>();
  const rewrites: Rewrite[] = [];
  let leftPartsOut = false;
  const correctable = new Set(asked.correctable);
  const add = ({ term, parts }: QueryWord): void => {
    const isKnown = lookup.isHeld(term);
    const nearest = isKnown || parts.length > 0 || !correctable.has(term) ? null : lookup.nearestTo(term);
    if (nearest !== null) rewrites.push({ from: term, to: nearest, why: 'misspelt' });
    if (isKnown && parts.length > 0 && !withParts) leftPartsOut = true;
    if (!isKnown || withParts) parts.forEach(add);
    terms.add(nearest ?? term);
  };
  asked.words.forEach(add);
  return { terms: [...terms], rewrites, leftPartsOut };
}
