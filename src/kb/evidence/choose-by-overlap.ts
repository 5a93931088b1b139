import type { Span } from '../../text/span.js';
import { type RankedText, rankSpans, type ScoredSpan } from '../search/rank-overlap.js';
import { cutQuote } from './cut-quote.js';

export interface QuoteOptions {
  readonly maxQuotes: number;
  readonly maxQuoteTokens: number;
  readonly contextTokens: number;
}

/** One part of a question, and its texts. */
export interface QuotePart {
  readonly question: string;
  /** A text of several parts has the same id in each. */
  readonly texts: readonly RankedText[];
}

/** A slice of a text, chosen as evidence. */
export interface ChosenQuote extends Span {
  readonly textId: string;
  readonly quote: string;
  /** Position of the part of the question that it was chosen for; absent if it was chosen by overlap. */
  readonly part?: number;
  /** The span's score, rounded to four places. */
  readonly confidence: number;
}

/** True if a span has a character of a part that is not to be shown. */
function isSeen({ start, end, source }: ScoredSpan): boolean {
  return (source.seen ?? []).some((part) => part.start < end && part.end > start);
}

/** Takes spans from the lists of the parts in turn, each span once. Spans without a word of their part come last. */
function deal(parts: readonly QuotePart[]): ScoredSpan[] {
  const turns = parts.flatMap(({ question, texts }) =>
    rankSpans(question, texts)
      .filter((span) => !isSeen(span))
      .map((span, turn) => ({ span, turn, holdsNothing: span.score === 0 })),
  );
  const dealt = turns.sort((a, b) => Number(a.holdsNothing) - Number(b.holdsNothing) || a.turn - b.turn);
  const seen = new Set<string>();
  return dealt.flatMap(({ span }) => {
    const place = `${span.start} ${span.source.id}`;
    if (seen.has(place)) return [];
    seen.add(place);
    return [span];
  });
}

/** The text around a pick, up to the nearest other quotes. */
function roomAround(pick: Span, others: readonly Span[], length: number): Span {
  const before = others.filter(({ end }) => end <= pick.start).map(({ end }) => end);
  const after = others.filter(({ start }) => start >= pick.end).map(({ start }) => start);
  return { start: Math.max(0, ...before), end: Math.min(length, ...after) };
}

/**
 * Chooses quotes by literal overlap: the spans that contain most words of the question, with context within the limits.
 * @returns best first, the parts of a question in turn; verbatim slices without overlaps
 */
export function chooseByOverlap(parts: readonly QuotePart[], options: QuoteOptions): ChosenQuote[] {
  const { maxQuotes, maxQuoteTokens: maxTokens, contextTokens } = options;
  const picks = deal(parts).slice(0, maxQuotes);
  const taken = new Map<ScoredSpan, Span>();
  return picks.map((pick) => {
    const { id, text, seen = [] } = pick.source;
    const others = picks.filter((other) => other !== pick && other.source.id === id);
    const spans = [...others.map((other) => taken.get(other) ?? other), ...seen];
    const within = roomAround(pick, spans, text.length);
    const span = cutQuote(text, pick, { maxTokens, contextTokens, within });
    taken.set(pick, span);
    const confidence = Math.round(pick.score * 10_000) / 10_000;
    return { ...span, textId: id, quote: text.slice(span.start, span.end), confidence };
  });
}
