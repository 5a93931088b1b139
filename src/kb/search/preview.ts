import { clipText } from '../../text/clip-text.js';
import type { Span } from '../../text/span.js';
import { splitSpans } from '../../text/split-spans.js';
import { rankOverlap } from './rank-overlap.js';

/** The preview of a section in a search result. */
export interface Preview {
  /** White space collapsed; at most the asked length. */
  readonly text: string;
  /** The best span, which expanding starts from. */
  readonly window: Span;
}

const MAX_SPANS = 3;

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Chooses what to show of a section: its one to three spans that overlap the query most, in reading order, else its
 * beginning.
 */
export function selectPreview(text: string, query: string, maxChars: number): Preview {
  const ranked = rankOverlap(query, [{ id: '', text }]);
  const first = splitSpans(text)[0] ?? { start: 0, end: text.length };
  const best = ranked[0] ?? { ...first, textIndex: 0, score: 0 };
  const chosen: Span[] = [];
  let length = 0;
  for (const span of ranked.length > 0 ? ranked.slice(0, MAX_SPANS) : [best]) {
    const size = collapse(text.slice(span.start, span.end)).length + 3;
    if (chosen.length > 0 && length + size > maxChars) break;
    chosen.push(span);
    length += size;
  }
  const inOrder = chosen.sort((a, b) => a.start - b.start);
  const joined = inOrder.map((span, i) => {
    const before = inOrder[i - 1];
    const gap = before ? text.slice(before.end, span.start).trim() : '';
    return `${i === 0 ? '' : gap === '' ? ' ' : ' … '}${collapse(text.slice(span.start, span.end))}`;
  });
  return { text: clipText(joined.join(''), maxChars), window: { start: best.start, end: best.end } };
}
