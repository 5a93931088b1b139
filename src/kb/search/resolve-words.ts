import type { AskedWords, Rewrite } from '../../core/ports/section-index.port.js';
import type { QueryWord } from '../../text/terms/search-terms.js';
import { sameWords } from './nearest-term.js';

interface TermLookup {
  /** True if a visible section contains the term. */
  readonly isHeld: (term: string) => boolean;
  /** The probable correction of a term; null if there is none. */
  readonly nearestTo: (term: string) => string | null;
  /** A term that is probably the same word with another ending, such as its plural. Null if the index has none. */
  readonly inflectionOf: (term: string, isForeign: boolean) => string | null;
  /** The only term that begins with a term; null if there are several. */
  readonly completionOf: (term: string) => string | null;
}

/** The terms to look for. */
export interface ResolvedWords {
  /** Distinct. */
  readonly terms: readonly string[];
  readonly rewrites: readonly Rewrite[];
  /** True if other spellings were left out: parts of identifiers that the index contains, and joined words. */
  readonly leftOut: boolean;
}

/** A part of a path that says something alone: no number of a version, no single letter. */
const NAME = /\p{L}.*\p{L}/u;
const NUMBER = /^\p{N}+$/u;

/** The parts to look for. The number of a name that no section contains says nothing alone: the 3 of `word3`. */
function partsToFind(parts: readonly QueryWord[], isHeld: TermLookup['isHeld']): readonly QueryWord[] {
  const names = parts.filter(({ term }) => NAME.test(term));
  const isNamed = names.length === 0 || names.some((name) => name.parts.length > 0 || isHeld(name.term));
  return isNamed ? parts : parts.filter(({ term }) => !NUMBER.test(term));
}

/** The term of the index that stands for a word that no section contains; null if none is nearly certain. */
function rewriteOf(from: string, asked: AskedWords, lookup: TermLookup): Rewrite | null {
  const { isForeign = false, isOneWord = false } = asked;
  const inflected = (): string | null => lookup.inflectionOf(from, isForeign);
  // Within an English question, another word with the same start would hide that nothing was found.
  const ways: readonly (readonly [Rewrite['why'], () => string | null | undefined])[] = [
    ['inflected', () => sameWords(from).find(lookup.isHeld)],
    ['inflected', () => (isForeign ? inflected() : null)],
    ['misspelt', () => lookup.nearestTo(from)],
    ['inflected', () => (isOneWord && !isForeign ? inflected() : null)],
    ['prefix', () => (isOneWord ? lookup.completionOf(from) : null)],
  ];
  for (const [why, find] of ways) {
    const to = find() ?? null;
    if (to !== null) return { from, to, why };
  }
  return null;
}

/**
 * Turns words into terms of the index. An identifier that no section contains becomes its parts, and the parts of a
 * path are always added. A misspelt word that no section contains becomes its correction.
 * @param withAll  true to add all spellings, for when the others find too little
 */
export function resolveWords(asked: AskedWords, lookup: TermLookup, withAll: boolean): ResolvedWords {
  const terms = new Set<string>();
  const rewrites: Rewrite[] = [];
  let leftOut = false;
  const correctable = new Set(asked.correctable);
  const add = ({ term, parts, isPath = false }: QueryWord): void => {
    const isKnown = lookup.isHeld(term);
    const isUnknown = !isKnown && parts.length === 0 && correctable.has(term);
    const rewrite = isUnknown ? rewriteOf(term, asked, lookup) : null;
    if (rewrite) rewrites.push(rewrite);
    if (isKnown && parts.length > 0 && !withAll) leftOut = true;
    if (!isKnown || withAll) partsToFind(parts, lookup.isHeld).forEach(add);
    else if (isPath) parts.filter(({ term: part }) => NAME.test(part)).forEach(add);
    terms.add(rewrite?.to ?? term);
  };
  asked.words.forEach(add);
  for (const term of (asked.joined ?? []).filter(lookup.isHeld)) {
    if (withAll) terms.add(term);
    else leftOut = true;
  }
  return { terms: [...terms], rewrites, leftOut };
}
