import type { MemoryAnswer, ScoredRow } from '../../core/ports/memory-store.port.js';

/** A value for each of the two sources of memory: knowledge graph and thoughts. */
export interface Sources<T> {
  readonly kg: T;
  readonly thoughts: T;
}

/** Rows of each source, best first. */
export type RankedSources = Sources<readonly ScoredRow[]>;

/** Sort order: score descending, then table, then id. */
export function compareScoredRows(a: ScoredRow, b: ScoredRow): number {
  if (a.score !== b.score) return b.score - a.score;
  return byCodeUnit(a.row.table, b.row.table) || byCodeUnit(a.row.id, b.row.id);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Rounds the score as it is returned, so that the order matches the returned scores. */
const rounded = ({ row, score }: ScoredRow): ScoredRow => ({
  row,
  score: Math.round(score * 10_000) / 10_000,
});

/** Candidates by source, best first, scores rounded to four places; `mix` 0 leaves out the graph, 1 the thoughts. */
export function sourcesOf(candidates: MemoryAnswer['candidates'], mix: number): RankedSources {
  const { thoughts, kg_entities, kg_observations } = candidates;
  return {
    kg: mix === 0 ? [] : [...kg_entities, ...kg_observations].map(rounded).sort(compareScoredRows),
    thoughts: mix === 1 ? [] : thoughts.map(rounded).sort(compareScoredRows),
  };
}

/** The rows with at least this score. */
export function rowsAbove({ kg, thoughts }: RankedSources, floor: number): RankedSources {
  const reaches = ({ score }: ScoredRow): boolean => score >= floor;
  return { kg: kg.filter(reaches), thoughts: thoughts.filter(reaches) };
}
