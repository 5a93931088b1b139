import type { MemoryAnswer, ScoredRow } from '../../core/ports/memory-store.port.js';
import { normaliseContent } from '../rows/normalise-content.js';

/** A value for each of the two sources of memory: knowledge graph and thoughts. */
interface Sources<T> {
  readonly kg: T;
  readonly thoughts: T;
}

/** Rows of each source, best first. */
type RankedSources = Sources<readonly ScoredRow[]>;

/** Sort order: score descending, then table, then id. */
function compareScoredRows(a: ScoredRow, b: ScoredRow): number {
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
function sourcesOf(candidates: MemoryAnswer['candidates'], mix: number): RankedSources {
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

/**
 * Keeps each row once, and only the best of several rows with the same content. It compares normalised content and not
 * hashes, because hashes are computed only for returned rows.
 */
function dropRepeats({ kg, thoughts }: RankedSources): RankedSources {
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

/**
 * Lowers the floor if a source would have no rows, to the highest value that gives each source a row:
 *
 *     floor      .25 ─────────────   KG best .31         above the floor
 *     lowered    .19 ── ── ── ──     thoughts best .19   the floor is lowered to this
 *     minFloor   .15 ─────────────   a best of .12 has no effect: no allowed floor is low enough
 *
 * @param floor  the requested floor; a value below `minFloor` is used as it is
 * @returns the floor to use; the lowest allowed one if no row reaches it; `floor` if there are no rows
 */
export function chooseFloor({ kg, thoughts }: RankedSources, floor: number, minFloor: number): number {
  const bests = [kg, thoughts].flatMap(([best]) => (best ? [best.score] : []));
  if (bests.length === 0) return floor;
  const lowest = Math.min(floor, minFloor);
  const reachable = bests.filter((best) => best >= lowest);
  return reachable.length === 0 ? lowest : Math.min(floor, ...reachable);
}

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

export interface PickRules {
  readonly topK: number;
  /** Share of the graph, 0 to 1. */
  readonly mix: number;
  readonly floor: number;
  readonly minFloor: number;
}

export interface PickedRows {
  /** Best first, at most `topK`. */
  readonly rows: readonly ScoredRow[];
  readonly floorUsed: number;
  /** Candidates before the floor, from the sources that the mix uses. */
  readonly candidateCount: number;
}

/** Selects the rows to return: applies the floor, drops repeats, divides the slots, then sorts all rows. */
export function pickRows(candidates: MemoryAnswer['candidates'], rules: PickRules): PickedRows {
  const { topK, mix, floor, minFloor } = rules;
  const sources = sourcesOf(candidates, mix);
  const floorUsed = chooseFloor(sources, floor, minFloor);
  const { kg, thoughts } = dropRepeats(rowsAbove(sources, floorUsed));
  const slots = allocateSlots(topK, mix, { kg: kg.length, thoughts: thoughts.length });
  return {
    rows: [...kg.slice(0, slots.kg), ...thoughts.slice(0, slots.thoughts)].sort(compareScoredRows),
    floorUsed,
    candidateCount: sources.kg.length + sources.thoughts.length,
  };
}
