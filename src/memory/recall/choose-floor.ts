import type { RankedSources } from '../rows/sources.js';

/**
 * Lowers the floor where it would leave a source without any row, to the highest value that leaves none so:
 *
 *     floor      .25 ─────────────   KG best .31      → stays
 *     lowered    .19 ── ── ── ──     thoughts best .19
 *     minFloor   .15 ─────────────   a best of .12 lowers nothing, since no floor that is allowed would help
 *
 * @param floor  what was asked for; one below `minFloor` is taken as it is
 * @returns the floor to use; the lowest allowed one when nothing reaches even that; `floor` when there are no rows
 */
export function chooseFloor({ kg, thoughts }: RankedSources, floor: number, minFloor: number): number {
  const bests = [kg, thoughts].flatMap(([best]) => (best ? [best.score] : []));
  if (bests.length === 0) return floor;
  const lowest = Math.min(floor, minFloor);
  const reachable = bests.filter((best) => best >= lowest);
  return reachable.length === 0 ? lowest : Math.min(floor, ...reachable);
}
