import type { Sources } from '../rows/sources.js';

/** The share of the graph in whole slots, with at least one for each side where both have something to put there. */
function graphSlots(topK: number, mix: number, isShared: boolean): number {
  const slots = Math.round(mix * topK);
  return isShared && topK > 1 ? Math.min(topK - 1, Math.max(1, slots)) : slots;
}

/**
 * Shares out the slots of a result.
 * @param topK  1 and more
 * @param mix  share of the graph, 0 to 1; at either end the other source gets nothing, however few rows there are
 * @param rows  how many each source has to give
 * @returns how many rows to take of each; what one can't fill goes to the other; never more than it has
 */
export function allocateSlots(topK: number, mix: number, rows: Sources<number>): Sources<number> {
  if (mix === 0) return { kg: 0, thoughts: Math.min(topK, rows.thoughts) };
  if (mix === 1) return { kg: Math.min(topK, rows.kg), thoughts: 0 };
  const slots = graphSlots(topK, mix, rows.kg > 0 && rows.thoughts > 0);
  const kg = Math.min(rows.kg, slots);
  const thoughts = Math.min(rows.thoughts, topK - slots);
  return { kg: Math.min(rows.kg, topK - thoughts), thoughts: Math.min(rows.thoughts, topK - kg) };
}
