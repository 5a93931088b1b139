import type { Span } from '../../text/span.js';
import { type RankedText, rankSpans, type ScoredSpan } from '../search/rank-overlap.js';
import { cutQuote } from './cut-quote.js';

export interface QuoteOptions {
  readonly maxQuotes: number;
  readonly maxQuoteTokens: number;
  readonly contextTokens: number;
}

/** The texts that one part of a question is answered from. */
export interface QuotePart {
  readonly question: string;
  /** Texts of this part; a text that several parts share has the same id in each. */
  readonly texts: readonly RankedText[];
}

/** A slice of a text that was chosen as evidence. */
export interface ChosenQuote extends Span {
  readonly textId: string;
  readonly quote: string;
  /** The span's score, rounded to four places. */
  readonly confidence: number;
}

/**
 * Deals from the ranked lists of the parts in turn, so that each gets its share. What says nothing of its part comes
 * last, and a span that several parts rank comes once.
 */
function deal(parts: readonly QuotePart[]): ScoredSpan[] {
  const turns = parts.flatMap(({ question, texts }) =>
    rankSpans(question, texts).map((span, turn) => ({ span, turn, holdsNothing: span.score === 0 })),
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

/** The room around a pick that no other quote of its text takes. */
function roomAround(pick: Span, others: readonly Span[], length: number): Span {
  const before = others.filter(({ end }) => end <= pick.start).map(({ end }) => end);
  const after = others.filter(({ start }) => start >= pick.end).map(({ start }) => start);
  return { start: Math.max(0, ...before), end: Math.min(length, ...after) };
}

/**
 * Chooses quotes by token overlap: §4.6.1 of the tools plan, with context as far as the cap allows.
 * @returns best first, the parts of a question in turn; verbatim slices, no two of which share a character
 */
export function chooseByOverlap(parts: readonly QuotePart[], options: QuoteOptions): ChosenQuote[] {
  const { maxQuotes, maxQuoteTokens: maxTokens, contextTokens } = options;
  const picks = deal(parts).slice(0, maxQuotes);
  const taken = new Map<ScoredSpan, Span>(picks.map((pick) => [pick, pick]));
  return picks.map((pick) => {
    const { id, text } = pick.source;
    const others = picks.filter((other) => other !== pick && other.source.id === id);
    const spans = others.map((other) => taken.get(other) ?? other);
    const within = roomAround(pick, spans, text.length);
    const span = cutQuote(text, pick, { maxTokens, contextTokens, within });
    taken.set(pick, span);
    const confidence = Math.round(pick.score * 10_000) / 10_000;
    return { ...span, textId: id, quote: text.slice(span.start, span.end), confidence };
  });
}
