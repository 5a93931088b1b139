import type { Span } from '../../../text/span.js';
import { stretches, type Unit, type UnitRange } from '../../../text/units.js';
import type { ReadSection } from './read-section.js';

/** Units that are further apart than this are not quoted together: a comment or a picture is between them. */
export const MAX_GAP_CHARS = 120;

/** A stretch of whole units. */
type Window = UnitRange & Span;

/** The length of the text between a unit and what is quoted with the one before it. */
function gapBefore(units: readonly Unit[], at: number): number {
  const [above, unit] = [units[at - 1], units[at]];
  return (unit?.start ?? 0) - (above?.end ?? 0) - (above?.isHeader ? above.tail : 0);
}

/** The slice of some units, with the mark of a list item and the fences of a block. */
export function rangeSpan({ units }: Pick<ReadSection, 'units'>, { from, to }: UnitRange): Span {
  const [first, last] = [units[from], units[to]];
  const isEnded = last?.kind !== 'code' || units.slice(from, to + 1).some(({ isFenced }) => isFenced);
  return {
    start: (first?.start ?? 0) - (first?.lead ?? 0),
    end: (last?.end ?? 0) + (isEnded ? (last?.tail ?? 0) : 0),
  };
}

/** The neighbours of a unit that are in the same block of code or in the same record. */
export function rangeAround(units: readonly Unit[], at: number, by: 'isInBlock' | 'isInRecord'): UnitRange {
  let [from, to] = [at, at];
  while (units[from]?.[by]) from--;
  while (units[to + 1]?.[by]) to++;
  return { from, to };
}

/**
 * The slices to quote of a section: chosen units that are close together. None begins with lines that only close brackets.
 * With the first line of a block of code comes the line of its fence, and with all of the block both. A list item comes with
 * its mark, the header of a table with the line below it.
 * @param isTaken  for each unit, true if it is chosen
 * @returns in the order of the text
 */
export function quoteWindows(section: Pick<ReadSection, 'units'>, isTaken: readonly boolean[]): Window[] {
  const { units } = section;
  const taken = [...units.keys()].filter((at) => isTaken[at]);
  const isNear = (at: number): boolean => gapBefore(units, at) <= MAX_GAP_CHARS;
  return stretches(taken, isNear).flatMap(({ from, to }) => {
    let first = from;
    while (first <= to && units[first]?.isCloser) first++;
    const range = { from: first, to };
    return first > to ? [] : [{ ...range, ...rangeSpan(section, range) }];
  });
}
