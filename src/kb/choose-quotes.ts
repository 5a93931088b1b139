import { cutQuote } from './cut-quote.js';
import { rankOverlap } from './rank-overlap.js';
import type { RankedText, ScoredSpan } from './rank-overlap.js';
import { overlaps } from './span.js';
import type { Span } from './span.js';

export interface QuoteOptions {
  readonly maxQuotes: number;
  readonly maxQuoteTokens: number;
  readonly contextTokens: number;
}

/** What one part of a question is answered from. */
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

interface PickedSpan extends ScoredSpan {
  readonly id: string;
  readonly text: string;
}

const folded = (pick: PickedSpan): string =>
  pick.text.slice(pick.start, pick.end).replace(/\s+/g, ' ').toLowerCase();

/** Deals from the ranked lists in turn, so that every part of the question gets its share; no sentence twice. */
function deal(parts: readonly QuotePart[], most: number): PickedSpan[] {
  const queues = parts.map(({ question, texts }) =>
    rankOverlap(question, texts).map((span) => ({
      ...span,
      ...(texts[span.textIndex] ?? { id: '', text: '' }),
    })),
  );
  const picked: PickedSpan[] = [];
  const seen = new Set<string>();
  while (picked.length < most && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) {
      const at = queue.findIndex((pick) => !seen.has(folded(pick)));
      const [pick] = at < 0 ? [] : queue.splice(0, at + 1).slice(-1);
      if (at < 0) queue.length = 0;
      if (!pick || picked.length >= most) continue;
      seen.add(folded(pick));
      picked.push(pick);
    }
  }
  return picked;
}

/** The room around a pick that no other quote takes. */
function roomAround(pick: PickedSpan, others: readonly Span[]): Span {
  const before = others.filter(({ end }) => end <= pick.start).map(({ end }) => end);
  const after = others.filter(({ start }) => start >= pick.end).map(({ start }) => start);
  return { start: Math.max(0, ...before), end: Math.min(pick.text.length, ...after) };
}

/** Chooses quotes by token overlap, best first; every quote is a verbatim slice, and no two share a character. */
export function chooseQuotes(parts: readonly QuotePart[], options: QuoteOptions): ChosenQuote[] {
  const picks = deal(parts, options.maxQuotes);
  const taken = new Map<PickedSpan, Span>(picks.map((pick) => [pick, pick]));
  return picks.map((pick) => {
    const others = picks.filter((other) => other !== pick && other.id === pick.id);
    const within = roomAround(
      pick,
      others.map((other) => taken.get(other) ?? other).filter((o) => !overlaps(o, pick)),
    );
    const { maxQuoteTokens: maxTokens, contextTokens } = options;
    const span = cutQuote(pick.text, pick, { maxTokens, contextTokens, within });
    taken.set(pick, span);
    const confidence = Math.round(pick.score * 10_000) / 10_000;
    return { ...span, textId: pick.id, quote: pick.text.slice(span.start, span.end), confidence };
  });
}
