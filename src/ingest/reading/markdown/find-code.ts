import type { Span } from '../../../text/span.js';

// Quotation marks and list markers may precede a fence.
const FENCE_OPEN = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Finds fences with their marks and inline spans with their backticks, in time linear in the text.
 * @returns in order, without overlaps; an unclosed fence extends to the end, an unclosed backtick is not code
 */
export function findCode(text: string): readonly Span[] {
  const ranges: Span[] = [];
  let prose = 0;
  for (const fence of findFences(text)) {
    for (const span of findInlineCode(text, prose, fence.start)) ranges.push(span);
    ranges.push(fence);
    prose = fence.end;
  }
  return ranges.concat(findInlineCode(text, prose, text.length));
}

/** True if a position is in one of the spans. @param spans  in order, without overlaps */
export function isInSpan(spans: readonly Span[], at: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Infinity) <= at;
}

/** Counts lines up to a position; positions must not fall. @param first  line of the start of the text */
export function lineCounter(text: string, first: number): (at: number) => number {
  let [line, from] = [first, 0];
  return (at) => {
    line += text.slice(from, at).split('\n').length - 1;
    from = at;
    return line;
  };
}

function findFences(text: string): Span[] {
  const fences: Span[] = [];
  let open: { start: number; mark: string } | null = null;
  for (let start = 0; start < text.length;) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    const line = text.slice(start, end);
    if (open && closesFence(line, open.mark)) {
      fences.push({ start: open.start, end });
      open = null;
    } else if (!open) {
      const mark = FENCE_OPEN.exec(line)?.[1];
      open = mark === undefined ? null : { start, mark };
    }
    start = end + 1;
  }
  return open ? [...fences, { start: open.start, end: text.length }] : fences;
}

/** True for a line with only a mark that is at least as long as the opening one. */
export function closesFence(line: string, mark: string): boolean {
  const bare = line.replace(/^[ \t>]*/, '').trimEnd();
  return bare.length >= mark.length && bare.startsWith(mark) && bare === mark.charAt(0).repeat(bare.length);
}

function findInlineCode(text: string, from: number, to: number): Span[] {
  const ranges: Span[][] = [];
  let runs: Span[] = [];
  for (let start = from; start < to;) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 || lineFeed > to ? to : lineFeed;
    const line = text.slice(start, end);
    if (line.trim() === '') {
      if (runs.length > 1) ranges.push(pairTicks(runs, text));
      runs = [];
    }
    for (const run of line.matchAll(/`+/g)) {
      runs.push({ start: start + run.index, end: start + run.index + run[0].length });
    }
    start = end + 1;
  }
  return [...ranges, pairTicks(runs, text)].flat();
}

/** Within a paragraph, a span ends at the next run with the same number of backticks. */
function pairTicks(runs: readonly Span[], text: string): Span[] {
  const nearest = new Map<number, number>();
  const closing: (number | undefined)[] = [];
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    const length = run ? run.end - run.start : 0;
    closing[index] = nearest.get(length);
    nearest.set(length, index);
  }
  const spans: Span[] = [];
  for (let index = 0; index < runs.length; index++) {
    const open = runs[index];
    const close = closing[index];
    const last = close === undefined ? undefined : runs[close];
    if (!open || !last || close === undefined || text[open.start - 1] === '\\') continue;
    spans.push({ start: open.start, end: last.end });
    index = close;
  }
  return spans;
}
