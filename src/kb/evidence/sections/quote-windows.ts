import type { Span } from '../../../text/span.js';
import type { Unit } from '../../../text/units.js';
import type { ReadSection, UnitRun } from './read-section.js';

/** Units that are further apart than this are not quoted together: a comment or a picture is between them. */
export const MAX_GAP_CHARS = 120;

/** A stretch of whole units. */
type Window = UnitRun & Span;

/** The length of the text between a unit and what is quoted with the one before it. */
function gapBefore(units: readonly Unit[], at: number): number {
  const [above, unit] = [units[at - 1], units[at]];
  return (unit?.start ?? 0) - (above?.end ?? 0) - (above?.isHeader ? above.tail : 0);
}

/** Runs of chosen units that are close together. */
function runsOf(units: readonly Unit[], isTaken: readonly boolean[]): UnitRun[] {
  const runs: { from: number; to: number }[] = [];
  for (const at of isTaken.keys()) {
    if (!isTaken[at]) continue;
    const run = runs.at(-1);
    if (run?.to === at - 1 && gapBefore(units, at) <= MAX_GAP_CHARS) run.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs;
}

/** The slice of a run of units, with the mark of a list item and the fences of a block. */
export function runSpan({ units }: Pick<ReadSection, 'units'>, { from, to }: UnitRun): Span {
  const [first, last] = [units[from], units[to]];
  const isEnded = last?.kind !== 'code' || units.slice(from, to + 1).some(({ isFenced }) => isFenced);
  return {
    start: (first?.start ?? 0) - (first?.lead ?? 0),
    end: (last?.end ?? 0) + (isEnded ? (last?.tail ?? 0) : 0),
  };
}

/** The neighbours of a unit that are in the same block of code or in the same record. */
export function runAround(units: readonly Unit[], at: number, by: 'isInBlock' | 'isInRecord'): UnitRun {
  let [from, to] = [at, at];
  while (units[from]?.[by]) from--;
  while (units[to + 1]?.[by]) to++;
  return { from, to };
}

/**
 * The slices to quote of a section: runs of chosen units. A run never begins with lines that only close brackets. A
 * run with the first line of a block of code includes the line of its fence, and with all of the block both. A list
 * item comes with its mark, the header of a table with the line below it.
 * @param isTaken  for each unit, true if it is chosen
 * @returns in the order of the text
 */
export function quoteWindows(section: Pick<ReadSection, 'units'>, isTaken: readonly boolean[]): Window[] {
  return runsOf(section.units, isTaken).flatMap(({ from, to }) => {
    let first = from;
    while (first <= to && section.units[first]?.isCloser) first++;
    const run = { from: first, to };
    return first > to ? [] : [{ ...run, ...runSpan(section, run) }];
  });
}
