import { nearbyTerms, nearestTerm } from '../../../kb/search/nearest-term.js';
import type { Database } from '../driver.js';

/**
 * The term of the index that a word was probably meant to be; null when nothing is near.
 * @param term  of letters only
 * @param isHeld  whether any section that may be seen holds a term
 */
export function nearestHeldTerm(
  database: Database,
  term: string,
  isHeld: (term: string) => boolean,
): string | null {
  const { start, shortest, longest } = nearbyTerms(term);
  const rows = database
    .prepare(
      `SELECT term, doc FROM section_term WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?`,
    )
    .all(start, `${start}\u{10ffff}`, shortest, longest);
  const known = rows.map((row) => ({ term: String(row['term']), sections: Number(row['doc']) }));
  return nearestTerm(term, known, isHeld);
}
