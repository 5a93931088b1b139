import type { Span } from '../../text/span.js';

/** Over this many characters, the chance that the answer stands there falls to 1/e. 150 to 600 are equally good. */
const NEAR_CHARS = 150;

/**
 * Computes for each unit the chance to contain the answer, given that the answer stands near a match in this section.
 * Long units have more of it, since the answer is as likely at each character.
 * @param matches  how well each unit matches, at least 0
 * @returns chances with the sum 1, or only zeros if nothing matches
 */
export function chanceNearby(units: readonly Span[], matches: readonly number[]): number[] {
  const near = [...matches];
  const spread = (order: Iterable<number>): void => {
    let carried = 0;
    let last: number | null = null;
    for (const at of order) {
      if (last !== null) {
        const distance = Math.abs(middle(units[at]) - middle(units[last]));
        carried = (carried + (matches[last] ?? 0)) * Math.exp(-distance / NEAR_CHARS);
        near[at] = (near[at] ?? 0) + carried;
      }
      last = at;
    }
  };
  spread(units.keys());
  spread([...units.keys()].reverse());
  const chances = units.map(({ start, end }, at) => (near[at] ?? 0) * (end - start));
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return total === 0 ? chances : chances.map((chance) => chance / total);
}

function middle(unit: Span | undefined): number {
  return unit ? (unit.start + unit.end) / 2 : 0;
}
