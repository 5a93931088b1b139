import { decodePath } from '../core/section-id.js';

function splitTrigrams(text: string): ReadonlySet<string> {
  const padded = `  ${text.toLowerCase()} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)));
}

function countCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const each of a) if (b.has(each)) common++;
  return common;
}

/** Minimum similarity of related ids. */
const LEAST_LIKE = 0.3;

/**
 * The ids most similar to a missing one, by shared trigrams (Dice): a moved path keeps its file name, and a reworded
 * heading keeps most of its words.
 * @param limit  maximum number of ids
 * @returns most similar first, ties by id; [] if none is similar
 */
export function nearestIds(id: string, ids: readonly string[], limit: number): string[] {
  const wanted = splitTrigrams(decodePath(id));
  const alike = ids.flatMap((other) => {
    const held = splitTrigrams(decodePath(other));
    const likeness = (2 * countCommon(wanted, held)) / (wanted.size + held.size);
    return likeness >= LEAST_LIKE ? [{ other, likeness }] : [];
  });
  alike.sort((a, b) => b.likeness - a.likeness || (a.other < b.other ? -1 : 1));
  return alike.slice(0, limit).map(({ other }) => other);
}
