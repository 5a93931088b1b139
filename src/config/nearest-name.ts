import { editDistance } from '../text/edit-distance.js';

/** The known name with the fewest single-character edits; ties go to the first in the list. */
export function nearestName(name: string, known: readonly string[]): { name: string; distance: number } {
  let best = { name: '', distance: Infinity };
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < best.distance) best = { name: candidate, distance };
  }
  return best;
}
