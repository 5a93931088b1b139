import type { Span } from '../../../text/span.js';
import { splitUnits } from '../../../text/split-units.js';

/** Characters of scripts without spaces between words, and words. */
const TOKEN = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
/** Longest text that is shown for a quote (UTF-16 units). */
const MAX_SHOWN = 1_500;

/** The part of a text that is most like a quote. */
export interface ClosestText extends Span {
  /** Share of the words of the quote that it has, 0 to 1. */
  readonly likeness: number;
}

const tokensOf = (text: string): (Span & { word: string })[] =>
  Array.from(text.matchAll(TOKEN), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    word: word.toLowerCase(),
  }));

/** Widens a span to the sentences, rows or lines of code that it touches, unless they are very long. */
function toUnits(text: string, { start, end }: Span): Span {
  const touched = splitUnits(text).filter((unit) => unit.start < end && unit.end > start);
  const from = Math.min(start, ...touched.map((unit) => unit.start));
  const to = Math.max(end, ...touched.map((unit) => unit.end));
  return to - from <= MAX_SHOWN ? { start: from, end: to } : { start, end };
}

/**
 * Finds the part of a text that shares most words with a quote: the best of all windows with as many words as the quote,
 * the first one of equal ones, widened to whole sentences.
 * @returns null if they share no word
 */
export function closestText(text: string, quote: string): ClosestText | null {
  const wanted = new Map<string, number>();
  const asked = tokensOf(quote);
  for (const { word } of asked) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  const tokens = tokensOf(text);
  let [shared, most, best] = [0, 0, 0];
  tokens.forEach(({ word }, i) => {
    const missing = wanted.get(word);
    if (missing !== undefined) {
      wanted.set(word, missing - 1);
      if (missing > 0) shared++;
    }
    const left = tokens[i - asked.length];
    const freed = left && wanted.get(left.word);
    if (left && freed !== undefined) {
      wanted.set(left.word, freed + 1);
      if (freed >= 0) shared--;
    }
    if (shared > most) [most, best] = [shared, i];
  });
  const window = tokens.slice(Math.max(0, best - asked.length + 1), best + 1);
  const isAsked = ({ word }: { word: string }): boolean => wanted.has(word);
  const [first, last] = [window.find(isAsked), window.findLast(isAsked)];
  if (most === 0 || !first || !last) return null;
  return { ...toUnits(text, { start: first.start, end: last.end }), likeness: most / asked.length };
}
