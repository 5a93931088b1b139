import type { Span } from '../span.js';
import { queryWords } from '../terms/search-terms.js';

/** The end of a text that is within a word: a letter or digit, and a mark that can join it with the next one. */
const OPEN_END = /[\p{L}\p{M}\p{N}](?:[-_.#]|::?)?$/u;
const OPEN_START = /^(?:[-_.]|::?)?[\p{L}\p{N}]/u;
/** The plus signs and the number sign of C++ and C#. */
const ENDING = /^(?:\+\+|#(?![\p{L}\p{N}]))/u;
const MARK = /^\p{M}/u;
/** Scripts without spaces between words: a text may be cut between any two characters. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}]';
const UNSPACED_END = new RegExp(`${UNSPACED}$`, 'u');
const UNSPACED_START = new RegExp(`^${UNSPACED}`, 'u');
/** UTF-16 units on either side that decide if a position is within a word. */
const NEAR = 4;
/** Longest word that a quote is widened to (UTF-16 units). */
const MAX_WIDENED = 200;

/** True if a position is within a word, a number or an identifier: between 5 and 0 of `50`, or before `.5` of `0.5`. */
export function isWithinWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  // Signs that are letters in index terms, such as ㎏, are letters here.
  const before = text.slice(Math.max(0, at - NEAR), at).normalize('NFKC');
  const after = text.slice(at, at + NEAR).normalize('NFKC');
  if (MARK.test(after)) return true;
  if (UNSPACED_END.test(before) && !after.startsWith('ー')) return false;
  if (UNSPACED_START.test(after) && !before.endsWith('#')) return false;
  if (OPEN_END.test(before) && OPEN_START.test(after)) return true;
  return /[\p{L}\p{M}\p{N}]\+?$/u.test(before) && ENDING.test(before.endsWith('+') ? `+${after}` : after);
}

/**
 * Finds a quote in a text, character by character. A place where the text goes on within a word is none: "is 5" is not
 * quoted from "is 50".
 * @returns in order; they may overlap
 */
export function findQuote(text: string, quote: string): Span[] {
  const found: Span[] = [];
  if (quote === '') return found;
  for (let start = text.indexOf(quote); start >= 0; start = text.indexOf(quote, start + 1)) {
    const end = start + quote.length;
    if (!isWithinWord(text, start) && !isWithinWord(text, end)) found.push({ start, end });
  }
  return found;
}

/**
 * The places of a quote whose white space may differ, because it was read in another layout.
 * @returns in order, without overlaps, widened to whole words
 */
export function findReadQuote(text: string, quote: string): Span[] {
  const words = quote.trim().split(/\s+/);
  if (words[0] === '') return [];
  const pattern = new RegExp(words.map((word) => escaped(word)).join('\\s+'), 'g');
  return Array.from(text.matchAll(pattern), ({ index, 0: found }) =>
    widen(text, { start: index, end: index + found.length }),
  );
}

/**
 * The index terms that every text has in which `findQuote` finds a quote, each once. Identifiers are in parts, because a
 * quote may begin within one: `name.js` is quoted from `@scope/name.js`.
 */
export function quoteTerms(quote: string): string[] {
  const parted = quote.normalize('NFKC').replace(/[-_.:/]/g, ' ');
  return [...new Set(queryWords(parted).map(({ term }) => term))];
}

/** A text as a regular expression that matches it. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function widen(text: string, span: Span): Span {
  let { start, end } = span;
  while (start > span.start - MAX_WIDENED && isWithinWord(text, start)) start--;
  while (end < span.end + MAX_WIDENED && isWithinWord(text, end)) end++;
  return { start, end };
}
