import { editDistance } from './edit-distance.js';

/** The known name with the fewest single-character edits; ties go to the first in the list. */
export function nearestName(name: string, known: readonly string[]): { name: string; distance: number } {
  let best = { name: '', distance: Infinity };
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < best.distance) best = { name: candidate, distance };
  }
  return best;
}

/** Names that a message lists; the others are counted. */
const MAX_LISTED = 20;
/** Longer names are not compared. */
const MAX_COMPARED = 128;

/** The names as a list for messages: `a, b and 3 more`. */
function listOfNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `. Did you mean X?` for a name that is nearly a known one, whatever its case; otherwise empty. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > MAX_COMPARED) return '';
  const folded = known.map((each) => each.toLowerCase());
  const near = nearestName(name.toLowerCase(), folded);
  const isNear = near.distance <= Math.max(1, Math.floor(name.length / 3));
  return isNear ? `. Did you mean ${known[folded.indexOf(near.name)] ?? ''}?` : '';
}

/** Known names, and a word for them, such as `Agents of the governance file`. */
interface KnownNames {
  readonly whose: string;
  readonly known: readonly string[];
  /** Where the name is known, if it is not known here. */
  readonly place?: string | undefined;
}

/** Adds the nearest name and all known ones to a statement about an unknown name. Without a full stop at the end. */
export function withKnownNames(statement: string, name: string, { whose, known, place }: KnownNames): string {
  const meant = place === undefined ? didYouMean(name, known) : `. Did you mean ${place}?`;
  return `${statement}${meant || '.'} ${whose}: ${listOfNames(known)}`;
}
