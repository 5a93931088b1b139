/** Most levels of arrays and objects that clients and providers may send. More could exhaust the stack of functions. */
export const MAX_LEVELS = 64;

/** True if arrays and objects are nested deeper than `levels`. Stops there, so any depth is safe. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isNestedDeeper(item, levels - 1));
}
