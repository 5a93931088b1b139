import type { MemoryAnswer, ScoredRow } from '../../core/ports/memory-store.port.js';
import { compareScoredRows, rowsAbove, sourcesOf } from '../rows/sources.js';
import { allocateSlots } from './allocate-slots.js';
import { chooseFloor } from './choose-floor.js';
import { dropRepeats } from './drop-repeats.js';

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
