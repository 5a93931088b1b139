import type { Span } from './span.js';

const FENCE = /^[ \t]*```/;
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;
const SENTENCE_END = /[.?!](?=\s)/g;

function trimmed(text: string, start: number, end: number): Span[] {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text.charAt(from))) from++;
  while (to > from && /\s/.test(text.charAt(to - 1))) to--;
  return from < to ? [{ start: from, end: to }] : [];
}

function splitSentences(text: string, start: number, end: number): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
    const to = start + match.index + 1;
    spans.push(...trimmed(text, from, to));
    from = to;
  }
  return [...spans, ...trimmed(text, from, end)];
}

/**
 * Cuts a text into candidate spans, to the letter of §4.6.1 of the tools plan: a fenced code block is one span;
 * elsewhere blank lines, bullets and `.`, `?` or `!` before white space end one. So `4.4.5` stays whole.
 * @returns in order, trimmed, none empty; a bullet's mark is not part of its span
 */
export function splitSpans(text: string): Span[] {
  const spans: Span[] = [];
  let fenceStart = -1;
  let proseStart = 0;
  let at = 0;
  const endProse = (end: number): void => void spans.push(...splitSentences(text, proseStart, end));
  for (const line of text.split('\n')) {
    const next = Math.min(at + line.length + 1, text.length);
    if (fenceStart >= 0) {
      if (FENCE.test(line)) {
        spans.push(...trimmed(text, fenceStart, next));
        fenceStart = -1;
        proseStart = next;
      }
    } else if (FENCE.test(line)) {
      endProse(at);
      fenceStart = at;
    } else if (line.trim() === '' || BULLET.test(line)) {
      endProse(at);
      proseStart = at + (BULLET.exec(line)?.[0].length ?? 0);
    }
    at = next;
  }
  if (fenceStart >= 0) return [...spans, ...trimmed(text, fenceStart, text.length)];
  endProse(text.length);
  return spans;
}
