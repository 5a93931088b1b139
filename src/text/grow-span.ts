import { clipToTokens, estimateTokens } from './estimate-tokens.js';
import { type Span, wholeOffset } from './span.js';

// Scripts without spaces between words: a span may begin or end at every character.
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Largest number of characters per token, since an estimate is at least a quarter of the characters. */
const CHARS_PER_TOKEN = 4;

/** True when splitting the text here does not split a word. */
function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (wholeOffset(text, at) !== at) return false;
  const before = String.fromCodePoint(text.codePointAt(wholeOffset(text, at - 1)) ?? 0);
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return /\s/.test(before) || /\s/.test(after) || UNSPACED.test(before) || UNSPACED.test(after);
}

/** Takes the first whole words of a span that fit into `tokens`. @returns their end; the span's start if none fits */
export function growRight(text: string, { start: from, end: limit }: Span, tokens: number): number {
  const reach = text.slice(from, Math.min(limit, from + tokens * CHARS_PER_TOKEN));
  let end = wholeOffset(text, from + clipToTokens(reach, tokens));
  while (end > from && !isBorder(text, end)) end = wholeOffset(text, end - 1);
  return from + text.slice(from, end).trimEnd().length;
}

/** The same from the end of a span to the left. @returns where the words start */
export function growLeft(text: string, { start: limit, end: from }: Span, tokens: number): number {
  let start = wholeOffset(text, Math.max(limit, from - tokens * CHARS_PER_TOKEN));
  for (;;) {
    while (start < from && !isBorder(text, start)) start++;
    const excess = estimateTokens(text.slice(start, from)) - tokens;
    if (start >= from || excess <= 0) break;
    // Every token has at least one character, so this never removes too much.
    start = Math.min(from, start + excess);
  }
  return from - text.slice(start, from).trimStart().length;
}
