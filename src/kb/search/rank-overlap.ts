import type { Span } from '../../text/span.js';
import { splitSpans } from '../../text/split-spans.js';

export interface RankedText {
  readonly id: string;
  readonly text: string;
  /** Parts that are not to be shown. Default: none. */
  readonly seen?: readonly Span[];
}

export interface ScoredSpan extends Span {
  readonly source: RankedText;
  /** Share of the question's tokens that are in the span, 0 to 1. */
  readonly score: number;
}

/** The tokens of a question: runs of three or more letters and digits, in lower case, each once. */
export function overlapTokens(question: string): string[] {
  return [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))];
}

/**
 * Ranks the spans of several texts by token overlap. A token is in a span if it is a substring of the lower-cased span.
 * @returns all spans, best first; ties go to the shorter span, then the earlier one, then the earlier text
 */
export function rankSpans(question: string, texts: readonly RankedText[]): ScoredSpan[] {
  const tokens = overlapTokens(question);
  const scored = texts.flatMap((source) =>
    splitSpans(source.text).map(({ start, end }): ScoredSpan => {
      const lower = source.text.slice(start, end).toLowerCase();
      const held = tokens.filter((token) => lower.includes(token)).length;
      return { start, end, source, score: held / Math.max(1, tokens.length) };
    }),
  );
  return scored.sort((a, b) => b.score - a.score || a.end - a.start - (b.end - b.start) || a.start - b.start);
}

/** Ranks as `rankSpans` does, without the spans that contain no token. */
export function rankOverlap(question: string, texts: readonly RankedText[]): ScoredSpan[] {
  return rankSpans(question, texts).filter(({ score }) => score > 0);
}
