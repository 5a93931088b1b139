/** Deeper values could exhaust the stack of functions that follow them. */
export const MAX_DEPTH = 64;

/** True if arrays and objects are nested deeper than the limit. Stops there, so any depth is safe. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
