import type { AskedWords, Rewrite } from '../../core/ports/section-index.port.js';
import type { QueryWord } from '../../text/search-terms.js';

/** Questions about terms of the index. */
export interface TermLookup {
  /** Tells if a visible section holds a term. */
  readonly isHeld: (term: string) => boolean;
  /** The term that a misspelt one probably stands for; null for none. */
  readonly nearestTo: (term: string) => string | null;
}

/** The terms to look for. */
export interface ResolvedWords {
  /** Distinct. */
  readonly terms: readonly string[];
  readonly rewrites: readonly Rewrite[];
  /** Parts of identifiers were left out because the index holds these whole. */
  readonly leftPartsOut: boolean;
}

/**
 * Reads words as terms of the index: an identifier as itself where any section holds it whole, else as its parts; a
 * misspelt word as the nearest term, but only where no section holds it as it is.
 * @param withParts  asks for the parts beside the whole, for when that alone finds too little
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
