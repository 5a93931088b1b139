import { fitsTokens, fitTokens } from '../../text/fit-tokens.js';
import { growLeft, growRight } from '../../text/grow-span.js';
import { type Span, wholeOffset } from '../../text/span.js';

/** Maximum length of a quote in characters; it applies to very long lines. */
export const MAX_QUOTE_CHARS = 500;

interface QuoteLimits {
  readonly maxTokens: number;
  /** Tokens of context on each side of the span, within `maxTokens`. */
  readonly contextTokens: number;
  /** Bounds of the context: where other quotes begin. */
  readonly within: Span;
}

/** Cuts a span that is too long for a quote, at a word. */
export function clipSpan(text: string, { start, end }: Span, maxTokens: number): Span {
  const most = Math.min(end, wholeOffset(text, start + MAX_QUOTE_CHARS));
  const fitting = start + fitTokens(text.slice(start, most), maxTokens);
  if (fitting >= end) return { start, end };
  const atWord = growRight(text, { start, end: fitting }, maxTokens);
  // A single word that is too long is cut at the limit.
  return { start, end: atWord > start ? atWord : fitting };
}

/** The slice to quote for a span: cut at a word if it is too long, otherwise with equal context on both sides. */
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
  // Bisection. It starts with all tokens, because they usually fit.
  for (let tokens = most - 1; tokens > fewest; tokens = Math.floor((fewest + most) / 2)) {
    const wider = widen(tokens);
    if (fits(wider)) [quote, fewest] = [wider, tokens];
    else most = tokens;
  }
  return quote;
}
