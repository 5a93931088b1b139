import { wholeOffset } from '../../text/clip-text.js';

/** Longest snippet, in UTF-16 units. */
export const MAX_SNIPPET_CHARS = 800;

/** A cut before this share of the limit (600 of 800) would lose more than a sentence in two is worth. */
const EARLIEST = 0.75;
/** No character that is meant to be read is made of more units than this. */
const LONGEST_CHARACTER = 64;

/** Moves an offset to the left where it would cut what is seen as one character. */
function wholeCharacter(text: string, at: number): number {
  const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const start = characters.segment(text.slice(0, at + LONGEST_CHARACTER)).containing(at)?.index ?? at;
  return at - start < LONGEST_CHARACTER ? start : wholeOffset(text, at);
}

/**
 * Finds where a text is cut: after the last sentence that ends in the last quarter before the limit, else at the limit.
 * @param limit  in UTF-16 units; 600 to 800 is the quarter for 800
 * @returns a UTF-16 offset, never inside a character
 */
export function capOffset(text: string, limit = MAX_SNIPPET_CHARS): number {
  if (text.length <= limit) return text.length;
  const ends = [...text.slice(0, limit + 1).matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  const last = ends.at(-1) ?? 0;
  return last >= limit * EARLIEST ? last : wholeCharacter(text, limit);
}
