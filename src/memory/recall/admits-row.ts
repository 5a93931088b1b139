import type { MemoryQuery, MemoryRow } from '../../core/ports/memory-store.port.js';

/** Whether a row may be shown for a query: asked of every row that comes back, whatever the store has done. */
export function admitsRow(query: MemoryQuery, row: MemoryRow): boolean {
  const { includePrivate, includeTags, excludeTags } = query;
  if (row.isPrivate && !includePrivate) return false;
  if (row.tags.some((tag) => excludeTags.includes(tag))) return false;
  return includeTags === null || row.tags.some((tag) => includeTags.includes(tag));
}
