import type { Span } from './span.js';

const BULLET = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;
// A fence may open after a bullet; a line with further backticks is inline code.
const OPENING = /^[ \t]*(`{3,})[^`]*$/;
const CLOSING = /^[ \t]*(`{3,})[ \t]*$/;
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
 * Splits a text into candidate spans. These rules are a contract: a fenced code block is one span;
 * elsewhere a span ends at a blank line, a bullet, or `.`, `?` or `!` before white space. `4.4.5` is not split.
 * @returns in order, trimmed, none empty; without the bullet marks
 */
export function splitSpans(text: string): Span[] {
  const spans: Span[] = [];
  // Number of backticks of the open fence, and start of the current span.
  let fence = 0;
  let start = 0;
  let at = 0;
  const end = (to: number): void => {
    spans.push(...(fence > 0 ? trimmed(text, start, to) : splitSentences(text, start, to)));
  };
  for (const line of text.split('\n')) {
    const next = Math.min(at + line.length + 1, text.length);
    const mark = fence > 0 ? 0 : (BULLET.exec(line)?.[0].length ?? 0);
    const ticks = (fence > 0 ? CLOSING : OPENING).exec(line.slice(mark))?.[1]?.length ?? 0;
    if (fence > 0 && ticks >= fence) {
      end(next);
      [fence, start] = [0, next];
    } else if (fence === 0 && (ticks > 0 || mark > 0 || line.trim() === '')) {
      end(at);
      [fence, start] = [ticks, at + mark];
    }
    at = next;
  }
  end(text.length);
  return spans;
}
