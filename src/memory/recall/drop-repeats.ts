import type { ScoredRow } from '../../core/ports/memory-store.port.js';
import { normaliseContent } from '../rows/normalise-content.js';
import { compareRows } from '../rows/sources.js';
import type { RankedSources } from '../rows/sources.js';

/**
 * Keeps each row once, and of rows with the same content the better one, whichever source it is from. Content is
 * compared as it is hashed; the hashes themselves are made of what is returned only.
 * @returns what is left of each source, best first
 */
export function dropRepeats({ kg, thoughts }: RankedSources): RankedSources {
  const rows = new Set<string>();
  const contents = new Set<string>();
  const kept = new Set<ScoredRow>();
  for (const candidate of [...kg, ...thoughts].sort(compareRows)) {
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
