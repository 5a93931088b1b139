import type { ScoredRow } from '../../core/ports/memory-store.port.js';
import { normaliseContent } from '../rows/normalise-content.js';
import { compareScoredRows, type RankedSources } from '../rows/sources.js';

/**
 * Keeps each row once, and only the best of several rows with the same content. It compares normalised content and not
 * hashes, because hashes are computed only for returned rows.
 */
export function dropRepeats({ kg, thoughts }: RankedSources): RankedSources {
  const rows = new Set<string>();
  const contents = new Set<string>();
  const kept = new Set<ScoredRow>();
  for (const candidate of [...kg, ...thoughts].sort(compareScoredRows)) {
    const { table, id, text } = candidate.row;
    const row = `${table}\n${id}`;
    const content = normaliseContent(text);
    if (rows.has(row) || contents.has(content)) continue;
    rows.add(row);
    contents.add(content);
    kept.add(candidate);
  }
  const isKept = (candidate: ScoredRow): boolean => kept.has(candidate);
  return { kg: kg.filter(isKept), thoughts: thoughts.filter(isKept) };
}
