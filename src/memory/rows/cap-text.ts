import { wholeOffset } from '../../text/span.js';

/** Longest snippet, in UTF-16 units. */
export const MAX_SNIPPET_CHARS = 800;

/** Earliest cut at a sentence end, as a share of the limit (600 of 800); an earlier one would lose too much text. */
const EARLIEST = 0.75;
/** Upper bound for the UTF-16 units of a readable character. */
const LONGEST_CHARACTER = 64;

/** Moves an offset to the left if it is inside a visible character (grapheme). */
function wholeCharacter(text: string, at: number): number {
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const start = characters.segment(text.slice(0, at + LONGEST_CHARACTER)).containing(at)?.index ?? at;
  return at - start < LONGEST_CHARACTER ? start : wholeOffset(text, at);
}

/** Where to cut a text, in UTF-16 units: after a sentence in the last quarter of the limit, else near the limit. */
export function capOffset(text: string, limit = MAX_SNIPPET_CHARS): number {
  if (text.length <= limit) return text.length;
  const ends = [...text.slice(0, limit + 1).matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const last = ends.at(-1) ?? 0;
  return last >= limit * EARLIEST ? last : wholeCharacter(text, limit);
}
