import { editDistance } from '../../text/edit-distance.js';

/** Slips are rare in the first letters, and looking through all terms would take too long. */
const SAME_START = 2;
/** Below it, most words one edit away are other words (preset, present): only two letters that changed places count. */
const FEW_NEIGHBOURS = 7;
/** A longer word may have two slips. */
const LONG_WORD = 10;

function sorted(term: string): string {
  return [...term].sort().join('');
}

/** A term of the index, and in how many sections it occurs. */
export interface KnownTerm {
  readonly term: string;
  readonly sections: number;
}

/** What the terms that may be near have in common. */
export interface NearbyTerms {
  readonly start: string;
  /** Lengths in UTF-16 code units. */
  readonly shortest: number;
  readonly longest: number;
}

/** The terms that a misspelt one may have been meant to be, before anything is compared. */
export function nearbyTerms(term: string): NearbyTerms {
  const most = slipsOf(term);
  return { start: term.slice(0, SAME_START), shortest: term.length - most, longest: term.length + most };
}

function slipsOf(term: string): number {
  return term.length >= LONG_WORD ? 2 : 1;
}

/**
 * The term of the index that a word was probably meant to be: with the fewest edits, one or for a long word two; then
 * the most frequent; then the first of the alphabet. Null when nothing is near.
 * @param term  of letters only
 * @param known  all terms within `nearbyTerms`, in any order
 * @param isHeld  whether any section that may be seen holds a term
 */
export function nearestTerm(
  term: string,
  known: readonly KnownTerm[],
  isHeld: (term: string) => boolean,
): string | null {
  const most = slipsOf(term);
  const isNear = (candidate: string, edits: number): boolean =>
    edits <= most &&
    !/\p{N}/u.test(candidate) &&
    (term.length >= FEW_NEIGHBOURS || sorted(candidate) === sorted(term));
  const near = known.flatMap(({ term: candidate, sections }) => {
    const edits = editDistance(term, candidate);
    return isNear(candidate, edits) ? [{ candidate, edits, sections }] : [];
  });
  near.sort((a, b) => a.edits - b.edits || b.sections - a.sections || (a.candidate < b.candidate ? -1 : 1));
  return near.find(({ candidate }) => isHeld(candidate))?.candidate ?? null;
}
