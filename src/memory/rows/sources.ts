import type { MemoryAnswer, ScoredRow } from '../../core/ports/memory-store.port.js';

/** The two kinds of memory that a mix draws from. */
export interface Sources<T> {
  readonly kg: T;
  readonly thoughts: T;
}

/** Rows of each source, best first. */
export type RankedSources = Sources<readonly ScoredRow[]>;

/** Orders by score, best first; ties by table, then by id. */
export function compareRows(a: ScoredRow, b: ScoredRow): number {
  if (a.score !== b.score) return b.score - a.score;
  return byCodeUnit(a.row.table, b.row.table) || byCodeUnit(a.row.id, b.row.id);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Scores are compared as they are told, so that the order of a result can be read off it. */
const asTold = ({ row, score }: ScoredRow): ScoredRow => ({
  row,
  score: Math.round(score * 10_000) / 10_000,
});

/**
 * Sorts candidates into sources, with scores rounded to four places.
 * @param mix  0 leaves the graph out, 1 the thoughts
 */
export function sourcesOf(candidates: MemoryAnswer['candidates'], mix: number): RankedSources {
  const { thoughts, kg_entities, kg_observations } = candidates;
  return {
    kg: mix === 0 ? [] : [...kg_entities, ...kg_observations].map(asTold).sort(compareRows),
    thoughts: mix === 1 ? [] : thoughts.map(asTold).sort(compareRows),
  };
}

/** The rows that reach a floor. */
export function above({ kg, thoughts }: RankedSources, floor: number): RankedSources {
  const reaches = ({ score }: ScoredRow): boolean => score >= floor;
  return { kg: kg.filter(reaches), thoughts: thoughts.filter(reaches) };
}
