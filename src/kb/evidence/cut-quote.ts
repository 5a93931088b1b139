import { wholeOffset } from '../../text/clip-text.js';
import { fitsTokens, fitTokens } from '../../text/fit-tokens.js';
import { growLeft, growRight } from '../../text/grow-span.js';
import type { Span } from '../../text/span.js';

/** §4.6.1 of the tools plan: against lines without end. */
export const MAX_QUOTE_CHARS = 500;

export interface QuoteLimits {
  readonly maxTokens: number;
  /** Tokens of context on each side of the span, as far as the cap allows. */
  readonly contextTokens: number;
  /** Context stays within these bounds, where the neighbours begin. */
  readonly within: Span;
}

/** A span, cut at a word where it is longer than a quote may be. */
export function clipSpan(text: string, { start, end }: Span, maxTokens: number): Span {
  const most = Math.min(end, wholeOffset(text, start + MAX_QUOTE_CHARS));
  const fitting = start + fitTokens(text.slice(start, most), maxTokens);
  if (fitting >= end) return { start, end };
  const atWord = growRight(text, { start, end: fitting }, maxTokens);
  // A single word longer than the cap is cut where the cap falls.
  return { start, end: atWord > start ? atWord : fitting };
}

/**
 * The slice to quote for a span: the span, cut at a word if it is too long, else with whole words of context. Both
 * sides get the same number of tokens, as many as the cap allows; a side that has fewer leaves them to the other.
 */
export function cutQuote(text: string, span: Span, limits: QuoteLimits): Span {
  const { maxTokens, contextTokens, within } = limits;
  const core = clipSpan(text, span, maxTokens);
  if (core.end < span.end) return core;
  const widen = (tokens: number): Span => ({
    start: growLeft(text, { start: within.start, end: core.start }, tokens),
    end: growRight(text, { start: core.end, end: within.end }, tokens),
  });
  const fits = ({ start, end }: Span) =>
    end - start <= MAX_QUOTE_CHARS && fitsTokens(text.slice(start, end), maxTokens);
  let quote = core;
  let fewest = 0;
  let most = Math.min(contextTokens, maxTokens) + 1;
  // Bisection, which begins with all that is asked for: mostly that fits.
  for (let tokens = most - 1; tokens > fewest; tokens = Math.floor((fewest + most) / 2)) {
    const wider = widen(tokens);
    if (fits(wider)) [quote, fewest] = [wider, tokens];
    else most = tokens;
  }
  return quote;
}
