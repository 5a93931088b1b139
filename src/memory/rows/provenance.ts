import type { MemoryRow, MemoryTable } from '../../core/ports/memory-store.port.js';

export const SOURCE_TYPES = ['thought', 'kg_entity', 'kg_observation'] as const;
export const ORIGINS = ['human', 'tool', 'model'] as const;
export const TRUST_TIERS = ['green', 'amber', 'red'] as const;

/** Origin and trust of a snippet. */
export interface Provenance {
  readonly source_type: (typeof SOURCE_TYPES)[number];
  readonly origin: (typeof ORIGINS)[number];
  readonly trust_tier: (typeof TRUST_TIERS)[number];
}

const TYPES: Readonly<Record<MemoryTable, Provenance['source_type']>> = {
  thoughts: 'thought',
  kg_entities: 'kg_entity',
  kg_observations: 'kg_observation',
};
const TIERS = { human: 'green', tool: 'amber', model: 'red' } as const;

/** Missing and unknown origins count as `model`, the least trusted; graph facts without one count as `human`. */
function originOf({ table, origin }: MemoryRow): Provenance['origin'] {
  if (origin === null && table !== 'thoughts') return 'human';
  if (origin === 'human' || origin === 'logged') return 'human';
  return origin === 'tool' ? 'tool' : 'model';
}

/** The provenance of a row. Graph facts are curated, so they are always green. */
export function provenanceOf(row: MemoryRow): Provenance {
  const origin = originOf(row);
  return {
    source_type: TYPES[row.table],
    origin,
    trust_tier: row.table === 'thoughts' ? TIERS[origin] : 'green',
  };
}
