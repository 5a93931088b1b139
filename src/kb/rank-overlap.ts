import type { Span } from './span.js';
import { splitSpans } from './split-spans.js';

/** A text that spans are taken from. */
export interface RankedText {
  readonly id: string;
  readonly text: string;
}

/** A span and how much of the question it holds. */
export interface ScoredSpan extends Span {
  /** Position of its text in the list that was given. */
  readonly textIndex: number;
  /** Share of the question's tokens that occur in the span, 0 to 1. */
  readonly score: number;
}

// Without spaces, a question would be one token that no sentence holds; so two characters at a time count.
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}ー]{2,}/gu;

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/**
 * The tokens of a question as §4.6.1 wants them: lower-cased, distinct, at least three characters. Scripts that are
 * written without spaces, which it does not speak of, give pairs of characters instead.
 */
export function overlapTokens(question: string): string[] {
  const lower = question.toLowerCase();
  const words = lower.replace(UNSPACED, ' ').split(/[^\p{L}\p{N}]+/u);
  const pairs = (lower.match(UNSPACED) ?? []).flatMap(pairsOf);
  return [...new Set([...words.filter((word) => word.length >= 3), ...pairs])];
}

function compare(a: ScoredSpan, b: ScoredSpan): number {
  const byScore = b.score - a.score;
  const byLength = a.end - a.start - (b.end - b.start);
  return byScore || byLength || a.start - b.start || a.textIndex - b.textIndex;
}

/**
 * Ranks the spans of several texts by token overlap: §4.6.1 of the tools plan, exactly. A token is in a span when it
 * is a substring of the lower-cased span; ties go to the shorter span, then the earlier one, then the earlier text.
 * @returns best first; spans that hold no token at all are left out, since they prove nothing
 */
export function rankOverlap(question: string, texts: readonly RankedText[]): ScoredSpan[] {
  const tokens = overlapTokens(question);
  const scored = texts.flatMap(({ text }, textIndex) =>
    splitSpans(text).map((span) => {
      const lower = text.slice(span.start, span.end).toLowerCase();
      const held = tokens.filter((token) => lower.includes(token)).length;
      return { ...span, textIndex, score: held / Math.max(1, tokens.length) };
    }),
  );
  return scored.filter(({ score }) => score > 0).sort(compare);
}
