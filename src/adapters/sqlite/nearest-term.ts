import { editDistance } from '../../text/edit-distance.js';
import type { Database } from './driver.js';

/** Slips are rare in the first letters, and looking through all terms would take too long. */
const SAME_START = 2;
/** Below it, most words one edit away are other words (preset, present): only two letters that changed places count. */
const FEW_NEIGHBOURS = 7;
/** A longer word may have two slips. */
const LONG_WORD = 10;

function sorted(term: string): string {
  return [...term].sort().join('');
}

/**
 * The term of the index that a word was probably meant to be: with the fewest edits, one or for a long word two; then
 * the most frequent; then the first of the alphabet. Null when nothing is near.
 * @param term  of letters only
 * @param isHeld  whether any section that may be seen holds a term
 */
export function nearestTerm(
  database: Database,
  term: string,
  isHeld: (term: string) => boolean,
): string | null {
  const start = term.slice(0, SAME_START);
  const most = term.length >= LONG_WORD ? 2 : 1;
  const isNear = (candidate: string, edits: number): boolean =>
    edits <= most &&
    !/\p{N}/u.test(candidate) &&
    (term.length >= FEW_NEIGHBOURS || sorted(candidate) === sorted(term));
  const rows = database
    .prepare(
      `SELECT term, doc FROM section_term WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?`,
    )
    .all(start, `${start}\u{10ffff}`, term.length - most, term.length + most);
  const near = rows.flatMap((row) => {
    const candidate = String(row['term']);
    const edits = editDistance(term, candidate);
    return isNear(candidate, edits) ? [{ candidate, edits, sections: Number(row['doc']) }] : [];
  });
  near.sort((a, b) => a.edits - b.edits || b.sections - a.sections || (a.candidate < b.candidate ? -1 : 1));
  return near.find(({ candidate }) => isHeld(candidate))?.candidate ?? null;
}
