import { estimateTokens } from '../text/estimate-tokens.js';

// A word, or one character of a script that is written without spaces.
const SINGLE = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}]';
const WORD = `(?:${SINGLE}|(?:(?!${SINGLE})\\S)+)`;
const WORD_AFTER = new RegExp(`\\s*${WORD}`, 'uy');
const WORD_BEFORE = new RegExp(`${WORD}\\s*$`, 'u');

/** How far back a word is looked for; a longer one is not taken. */
const REACH_CHARS = 500;

/** Moves `from` to the right over as many whole words as `tokens` pay for, at most to `limit`. */
export function growRight(text: string, from: number, limit: number, tokens: number): number {
  let end = from;
  let left = tokens;
  while (left > 0) {
    WORD_AFTER.lastIndex = end;
    const word = WORD_AFTER.exec(text)?.[0];
    if (word === undefined || end + word.length > limit) return end;
    left -= estimateTokens(word);
    if (left < 0) return end;
    end += word.length;
  }
  return end;
}

/** Moves `from` to the left over as many whole words as `tokens` pay for, at most to `limit`. */
export function growLeft(text: string, from: number, limit: number, tokens: number): number {
  let start = from;
  let left = tokens;
  while (left > 0) {
    const reach = Math.max(0, start - REACH_CHARS);
    const word = WORD_BEFORE.exec(text.slice(reach, start))?.[0];
    const isWhole = word !== undefined && (start - word.length > reach || reach === 0);
    if (!isWhole || start - word.length < limit) return start;
    left -= estimateTokens(word);
    if (left < 0) return start;
    start -= word.length;
  }
  return start;
}
