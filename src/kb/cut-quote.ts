import { wholeOffset } from '../text/clip-text.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import { fitsTokens, fitTokens } from '../text/fit-tokens.js';
import { growLeft, growRight } from './grow-span.js';
import type { Span } from './span.js';

/** §4.6.1 of the tools plan: against lines without end. */
export const MAX_QUOTE_CHARS = 500;

export interface QuoteLimits {
  readonly maxTokens: number;
  /** Tokens of context on each side of the span, as far as the cap allows. */
  readonly contextTokens: number;
  /** Where neighbours begin: context stays between these. */
  readonly within: Span;
}

function clipSpan(text: string, span: Span, maxTokens: number): Span {
  const most = span.start + MAX_QUOTE_CHARS;
  const slice = text.slice(span.start, span.end <= most ? span.end : wholeOffset(text, most));
  const end = span.start + fitTokens(slice, maxTokens);
  if (end >= span.end) return { start: span.start, end: span.end };
  const lastBreak = text.slice(span.start, end).search(/\s\S*$/);
  // A single word longer than the cap is cut where the cap falls.
  return { start: span.start, end: lastBreak > 0 ? span.start + lastBreak : end };
}

/**
 * The slice to quote for a span: the span, cut at a word if it is too long, else with whole words of context on both
 * sides, filled from the span outwards. The cap never displaces the span by its context.
 */
export function cutQuote(text: string, span: Span, limits: QuoteLimits): Span {
  const core = clipSpan(text, span, limits.maxTokens);
  if (core.end < span.end || limits.contextTokens === 0) return core;
  const room = limits.maxTokens - estimateTokens(text.slice(core.start, core.end));
  const roomChars = MAX_QUOTE_CHARS - (core.end - core.start);
  const before = Math.min(limits.contextTokens, Math.floor(room / 2));
  const leftLimit = Math.max(limits.within.start, core.start - Math.floor(roomChars / 2));
  const start = growLeft(text, core.start, leftLimit, before);
  const after = Math.min(limits.contextTokens, room - estimateTokens(text.slice(start, core.start)));
  const rightLimit = Math.min(limits.within.end, start + MAX_QUOTE_CHARS);
  const end = growRight(text, core.end, rightLimit, after);
  return fitsTokens(text.slice(start, end), limits.maxTokens) ? { start, end } : core;
}
