import { type Span, trimSpan } from './span.js';

const BULLET = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+/;
// A fence may open after a bullet; a line with further backticks is inline code.
const OPENING = /^[ \t]*(`{3,})[^`]*$/;
const CLOSING = /^[ \t]*(`{3,})[ \t]*$/;
const SENTENCE_END = /[.?!](?=\s)/g;

function sentencesOf(text: string, { start, end }: Span): Span[] {
  const marks = text.slice(start, end).matchAll(SENTENCE_END);
  const ends = Array.from(marks, ({ index }) => start + index + 1);
  return [...ends, end].map((to, i) => ({ start: ends[i - 1] ?? start, end: to }));
}

/**
 * Splits a text into candidate spans. A contract fixes these rules: a fenced code block is one span; other spans end at
 * a blank line, at a bullet, or at `.`, `?` or `!` before white space. `4.4.5` is not split.
 * @returns in order, trimmed, none empty; without the bullet marks
 */
export function splitSpans(text: string): Span[] {
  const spans: Span[] = [];
  // Number of backticks of the open fence, and start of the current span.
  let fence = 0;
  let start = 0;
  let at = 0;
  const close = (to: number): void => {
    const block = { start, end: to };
    for (const span of fence > 0 ? [block] : sentencesOf(text, block)) {
      const trimmed = trimSpan(text, span);
      if (trimmed) spans.push(trimmed);
    }
  };
  for (const line of text.split('\n')) {
    const next = Math.min(at + line.length + 1, text.length);
    const mark = fence > 0 ? 0 : (BULLET.exec(line)?.[0].length ?? 0);
    const ticks = (fence > 0 ? CLOSING : OPENING).exec(line.slice(mark))?.[1]?.length ?? 0;
    if (fence > 0 && ticks >= fence) {
      close(next);
      [fence, start] = [0, next];
    } else if (fence === 0 && (ticks > 0 || mark > 0 || line.trim() === '')) {
      close(at);
      [fence, start] = [ticks, at + mark];
    }
    at = next;
  }
  close(text.length);
  return spans;
}
