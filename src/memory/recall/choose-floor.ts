import type { RankedSources } from '../rows/sources.js';

/**
 * Lowers the floor if a source would have no rows, to the highest value that gives each source a row:
 *
 *     floor      .25 ─────────────   KG best .31         above the floor
 *     lowered    .19 ── ── ── ──     thoughts best .19   the floor is lowered to this
 *     minFloor   .15 ─────────────   a best of .12 has no effect: no allowed floor is low enough
 *
 * @param floor  the requested floor; a value below `minFloor` is used as it is
 * @returns the floor to use; the lowest allowed one if no row reaches it; `floor` if there are no rows
 */
export function chooseFloor({ kg, thoughts }: RankedSources, floor: number, minFloor: number): number {
  const bests = [kg, thoughts].flatMap(([best]) => (best ? [best.score] : []));
  if (bests.length === 0) return floor;
  const lowest = Math.min(floor, minFloor);
  const reachable = bests.filter((best) => best >= lowest);
  return reachable.length === 0 ? lowest : Math.min(floor, ...reachable);
}
