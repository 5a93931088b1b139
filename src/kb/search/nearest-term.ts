import { editDistance } from '../../text/edit-distance.js';
import { isStopTerm } from '../../text/terms/languages.js';

/** Number of first letters that must match: errors are rare there, and comparing all terms would take too long. */
const SAME_START = 2;
/** In shorter words, one edit often gives another word (preset, present), so only swapped letters are corrected. */
const FEW_NEIGHBOURS = 7;
/** Shorter words have too many similar words. */
const SHORTEST = 5;
/** Words of this length or more may have two errors. */
const LONG_WORD = 10;

function sorted(term: string): string {
  return [...term].sort().join('');
}

/** A term of the index, and its number of sections. */
export interface KnownTerm {
  readonly term: string;
  readonly sections: number;
}

/** Common properties of all terms that may be similar to a term. */
export interface NearbyTerms {
  readonly start: string;
  /** Lengths in UTF-16 code units. */
  readonly shortest: number;
  readonly longest: number;
}

/** The range of terms to compare with a misspelt term. */
export function nearbyTerms(term: string): NearbyTerms {
  const most = maxSlips(term);
  return { start: term.slice(0, SAME_START), shortest: term.length - most, longest: term.length + most };
}

function maxSlips(term: string): number {
  return term.length >= LONG_WORD ? 2 : 1;
}

/**
 * The probable correction of a misspelt term: the one with the fewest edits (at most one, or two for a long word), then
 * the most frequent, then the first in the alphabet. Null if no term is similar.
 * @param term  of letters only
 * @param known  all terms within `nearbyTerms`, in any order
 * @param isHeld  true if a visible section contains the term
 */
export function nearestTerm(
  term: string,
  known: readonly KnownTerm[],
  isHeld: (term: string) => boolean,
): string | null {
  if (term.length < SHORTEST) return null;
  const most = maxSlips(term);
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

/** Letters that two forms of a word share at least, at their start. */
const SHARED_START = 5;
/** Letters in which two forms of a word may differ at their end; Porter's stemmer shortens some of them already. */
const MAX_ENDING = 4;

/** The range of terms to compare with an unknown word of a language other than English. */
export function nearbyInflections(term: string): NearbyTerms {
  const start = term.slice(0, Math.max(SHARED_START, term.length - MAX_ENDING));
  return { start, shortest: start.length, longest: start.length + 2 * MAX_ENDING };
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Letters that two forms of an English word share; Porter's stemmer joins most of them, but not authentif and authent. */
const SURE_START = 7;

/** True if two terms are certainly forms of one English word. */
export const isSureForm = (term: string, form: string): boolean => sharedStart(term, form) >= SURE_START;

/** True if two terms may be forms of one word. */
export function isForm(a: string, b: string): boolean {
  const shared = sharedStart(a, b);
  return shared >= SHARED_START && Math.max(a.length, b.length) - shared <= MAX_ENDING;
}

/**
 * The probable other form of a word, such as its plural: the term with the longest common start, then the most frequent,
 * then the first in the alphabet. In European languages, words cut to their first five letters do about as well as
 * stems (McNamee and Mayfield, 2004). Null if no term is similar.
 * @param known  all terms within `nearbyInflections`, in any order
 * @param isHeld  true if a visible section contains the term
 */
export function nearestInflection(
  term: string,
  known: readonly KnownTerm[],
  isHeld: (term: string) => boolean,
): string | null {
  const near = known.flatMap(({ term: candidate, sections }) => {
    const shared = sharedStart(term, candidate);
    return isForm(term, candidate) && !/\p{N}/u.test(candidate) ? [{ candidate, shared, sections }] : [];
  });
  near.sort((a, b) => b.shared - a.shared || b.sections - a.sections || (a.candidate < b.candidate ? -1 : 1));
  return near.find(({ candidate }) => isHeld(candidate))?.candidate ?? null;
}

const OFFERED_START = 3;
/** Terms with these first letters in common are similar, whatever follows. */
const COMMON_START = 5;
const MAX_OFFERED_EDITS = 2;
/** Number of similar terms for which an engine checks whether a visible section contains them. */
const MAX_CHECKED = 20;
/** Letters that a similar term may have more, or fewer. */
const LONGER = 8;
const SHORTER = 4;

/** The range of terms to compare with a term for `similarTerms`. */
export function nearbyWords(term: string): NearbyTerms {
  const start = term.slice(0, OFFERED_START);
  return {
    start,
    shortest: Math.max(OFFERED_START, term.length - SHORTER),
    longest: term.length + LONGER,
  };
}

/**
 * Terms that look like a term, to offer them: fewest edits first, then the most frequent, then the first in the alphabet.
 * @param known  all within `nearbyWords`
 */
export function similarTerms(term: string, known: readonly KnownTerm[]): string[] {
  const near = known.flatMap(({ term: candidate, sections }) => {
    const edits = editDistance(term, candidate);
    const hasStart = candidate.startsWith(term.slice(0, COMMON_START));
    const isSimilar = candidate !== term && (hasStart || edits <= MAX_OFFERED_EDITS);
    return isSimilar && !/\p{N}/u.test(candidate) && !isStopTerm(candidate)
      ? [{ candidate, edits, sections }]
      : [];
  });
  near.sort((a, b) => a.edits - b.edits || b.sections - a.sections || (a.candidate < b.candidate ? -1 : 1));
  return near.slice(0, MAX_CHECKED).map(({ candidate }) => candidate);
}

/**
 * True if a term may be a slip of the pen for another: one letter too many or too few. With another letter, a short word
 * is mostly another word: chart, charge.
 */
export const isSlip = (term: string, near: string): boolean =>
  term.length >= SHORTEST &&
  (near.length !== term.length || term.length > SHORTEST) &&
  editDistance(term, near) === 1;

/** Shorter words begin too many others. */
const SHORTEST_PREFIX = 4;
const MAX_COMPLETION = 12;
/** With more terms to look up, there is hardly ever only one that is visible. */
const MAX_COMPLETIONS = 50;

/** The range of terms that begin with a term. */
export function nearbyCompletions(term: string): NearbyTerms {
  return { start: term, shortest: term.length + 1, longest: term.length + MAX_COMPLETION };
}

/** The only visible term that begins with a term; null if there are several. @param known  all within `nearbyCompletions` */
export function onlyCompletion(
  term: string,
  known: readonly KnownTerm[],
  isHeld: (term: string) => boolean,
): string | null {
  if (term.length < SHORTEST_PREFIX || known.length > MAX_COMPLETIONS) return null;
  const [first, ...others] = known.filter(
    ({ term: candidate }) => !/\p{N}/u.test(candidate) && isHeld(candidate),
  );
  return others.length === 0 ? (first?.term ?? null) : null;
}
