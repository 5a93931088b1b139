import type { Sources } from '../rows/sources.js';

/** The graph's share in whole slots; at least one slot for each source if both have rows. */
function graphSlots(topK: number, mix: number, isShared: boolean): number {
  const slots = Math.round(mix * topK);
  return isShared && topK > 1 ? Math.min(topK - 1, Math.max(1, slots)) : slots;
}

/**
 * Divides the slots of a result between the two sources.
 * @param topK  ≥ 1
 * @param mix  share of the graph, 0 to 1; 0 excludes the graph and 1 the thoughts, even if slots stay empty
 * @param rows  number of rows available from each source
 * @returns number of rows to take from each; a source gets the slots that the other can't fill
 */
export function allocateSlots(topK: number, mix: number, rows: Sources<number>): Sources<number> {
  if (mix === 0) return { kg: 0, thoughts: Math.min(topK, rows.thoughts) };
  if (mix === 1) return { kg: Math.min(topK, rows.kg), thoughts: 0 };
  const slots = graphSlots(topK, mix, rows.kg > 0 && rows.thoughts > 0);
  const kg = Math.min(rows.kg, slots);
  const thoughts = Math.min(rows.thoughts, topK - slots);
  return { kg: Math.min(rows.kg, topK - thoughts), thoughts: Math.min(rows.thoughts, topK - kg) };
}
