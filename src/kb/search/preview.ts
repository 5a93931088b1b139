import { clipText, type Span } from '../../text/span.js';
import { splitSpans } from '../../text/split-spans.js';
import { rankOverlap } from './rank-overlap.js';

/** The preview of a section in a search result. */
export interface Preview {
  /** White space is collapsed. */
  readonly text: string;
  /** The best span: `kb.expand_excerpt` starts here. */
  readonly window: Span;
}

const MAX_SPANS = 3;

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Chooses the one to three spans of a section that overlap the query most, in reading order; else its beginning. */
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
