import { wholeOffset } from '../../text/clip-text.js';
import { clipToBytes } from '../../text/clip-to-bytes.js';
import { fitTokens } from '../../text/fit-tokens.js';
import { growLeft, growRight } from '../../text/grow-span.js';
import type { Span } from '../../text/span.js';

export interface WindowLimits {
  readonly maxTokens: number;
  /** UTF-8. */
  readonly maxBytes: number;
  /** UTF-16 units. */
  readonly maxChars: number;
}

/** Maximum distance to the white space that a cut is moved back to. */
const NEAR_CHARS = 80;

function backToSpace(text: string, end: number): number {
  if (/\s/.test(text.charAt(end))) return end;
  const near = text.slice(Math.max(0, end - NEAR_CHARS), end);
  const last = near.search(/\s\S*$/);
  return last > 0 ? end - near.length + last : end;
}

/** The longest first part of a span that fits all limits, cut at white space if possible; at least one character. */
export function readWindow(text: string, { start, end: stop }: Span, limits: WindowLimits): Span {
  const bounded = text.slice(start, Math.min(stop, start + Math.min(limits.maxChars, limits.maxTokens * 4)));
  const bytes = clipToBytes(bounded, limits.maxBytes);
  const length = fitTokens(bounded.slice(0, bytes), limits.maxTokens);
  const end = wholeOffset(text, start + length);
  if (end >= stop) return { start, end: stop };
  const kept = backToSpace(text, end);
  if (kept > start) return { start, end: kept };
  const [first = ''] = text.slice(start, start + 2);
  return { start, end: Math.max(end, start + first.length) };
}

/** Widens a window by about this number of tokens on each side, to whole words. */
export function growWindow(text: string, window: Span, tokens: { before: number; after: number }): Span {
  return {
    start: growLeft(text, { start: 0, end: window.start }, tokens.before),
    end: growRight(text, { start: window.end, end: text.length }, tokens.after),
  };
}
