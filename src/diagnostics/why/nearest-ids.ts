import { decodePath } from '../../core/section-id.js';

/** Runs of three characters that a text holds. */
function trigramsOf(text: string): ReadonlySet<string> {
  const padded = `  ${text.toLowerCase()} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)));
}

function countCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const each of a) if (b.has(each)) common++;
  return common;
}

/** Ids that share less than this have nothing to do with each other. */
const LEAST_LIKE = 0.3;

/**
 * The ids that are most like one that is not there, by the runs of three characters that they share (Dice): a path that
 * moved keeps its file name, and a heading that was reworded keeps most of its words.
 * @param limit  most to name
 * @returns most alike first, ties by id; [] where nothing is alike
 */
export function nearestIds(id: string, ids: readonly string[], limit: number): string[] {
  const wanted = trigramsOf(decodePath(id));
  const alike = ids.flatMap((other) => {
    const held = trigramsOf(decodePath(other));
    const likeness = (2 * countCommon(wanted, held)) / (wanted.size + held.size);
    return likeness >= LEAST_LIKE ? [{ other, likeness }] : [];
  });
  alike.sort((a, b) => b.likeness - a.likeness || (a.other < b.other ? -1 : 1));
  return alike.slice(0, limit).map(({ other }) => other);
}
