import type { Span } from '../../text/span.js';
import type { ReadSection } from './read-section.js';
import { closesOnly } from './thoughts.js';

/** Units that are further apart than this are not quoted together: a comment or a picture is between them. */
export const MAX_GAP_CHARS = 120;
/** The line of a fence at the end of the text before a line of code. */
const OPENING_FENCE = /(?:^|\n)([^\n]*(?:`{3,}|~{3,})[^\n]*\n\s*)$/;
/** The line of a fence at the start of the text after a line of code. */
const CLOSING_FENCE = /^\s*\n[ \t>]*(?:`{3,}|~{3,})/;

/** A stretch of whole units. */
interface Window extends Span {
  /** Positions of its first and last unit. */
  readonly from: number;
  readonly to: number;
}

/** Runs of chosen units that are close together. */
function runsOf({ units }: ReadSection, isTaken: readonly boolean[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [at, unit] of units.entries()) {
    if (!isTaken[at]) continue;
    const run = runs.at(-1);
    const gap = unit.start - (units[at - 1]?.end ?? 0);
    if (run?.to === at - 1 && gap <= MAX_GAP_CHARS) run.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs;
}

/** The slice of a run of units. Fences are included unless the run has only the end of a block of code. */
function windowOf({ text, units }: ReadSection, { from, to }: { from: number; to: number }): Window | null {
  const [first, last] = [units[from], units[to]];
  if (!first || !last) return null;
  const before = text.slice(units[from - 1]?.end ?? 0, first.start);
  const after = text.slice(last.end, units[to + 1]?.start ?? text.length);
  const opening = first.kind === 'code' ? OPENING_FENCE.exec(before)?.[1] : undefined;
  const hasOpening =
    opening !== undefined || (last.kind === 'code' && startsBlock({ text, units }, { from, to }));
  const closing = last.kind === 'code' && hasOpening ? CLOSING_FENCE.exec(after)?.[0] : undefined;
  const indent = first.kind === 'code' ? (/[ \t]*$/.exec(before)?.[0] ?? '') : '';
  return {
    from,
    to,
    start: first.start - (opening?.length ?? indent.length),
    end: last.end + (closing?.length ?? 0),
  };
}

/** True if a run contains the first line of the block of code that it ends with. */
function startsBlock(
  { text, units }: Pick<ReadSection, 'text' | 'units'>,
  { from, to }: { from: number; to: number },
): boolean {
  for (let at = to; at > from; at--) {
    const gap = text.slice(units[at - 1]?.end ?? 0, units[at]?.start ?? 0);
    if (OPENING_FENCE.test(gap)) return true;
  }
  return false;
}

/**
 * The slices to quote of a section: runs of chosen units. A run never begins with lines that only close brackets. A
 * run with the first line of a block of code includes the line of its fence, and with all of the block both.
 * @param isTaken  for each unit, true if it is chosen
 * @returns in the order of the text
 */
export function quoteWindows(section: ReadSection, isTaken: readonly boolean[]): Window[] {
  const { text, units } = section;
  const closes = (at: number): boolean => {
    const unit = units[at];
    return unit?.kind === 'code' && closesOnly(text.slice(unit.start, unit.end));
  };
  return runsOf(section, isTaken).flatMap(({ from, to }) => {
    let first = from;
    while (first <= to && closes(first)) first++;
    const window = first > to ? null : windowOf(section, { from: first, to });
    return window ? [window] : [];
  });
}
