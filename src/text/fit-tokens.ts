import { clipToTokens } from './estimate-tokens.js';

/** Repetition is not measured in shorter texts. */
const MIN_WORDS = 4;
/** Share of distinct words. Prose and code have more; one repeated identifier has less. */
const REPEATING_BELOW = 0.34;
/** Repetitive text costs up to 1.5 times the estimate. */
const REPEATING_SHARE = 0.6;

/** True for a text that repeats few words. The estimate is too low for such texts. */
function repeatsItself(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length >= MIN_WORDS && new Set(words).size / words.length < REPEATING_BELOW;
}

/** A very long run of letters, which costs up to 1.7 times the estimate. */
const ENDLESS_WORD = /[A-Za-z]{40}/;
const ENDLESS_SHARE = 0.55;

function shareFor(text: string): number {
  if (ENDLESS_WORD.test(text)) return ENDLESS_SHARE;
  return repeatsItself(text) ? REPEATING_SHARE : 1;
}

/**
 * Finds how much of a text fits a hard limit: like `clipToTokens`, with a reserve for texts whose estimate is too low.
 * @returns a UTF-16 offset, never inside a surrogate pair
 */
export function fitTokens(text: string, maxTokens: number): number {
  // More than this can't fit, so the rest is not read.
  const reach = text.slice(0, maxTokens * 4);
  return clipToTokens(reach, maxTokens * shareFor(reach));
}

/** True when all of a text fits a hard limit. */
export function fitsTokens(text: string, maxTokens: number): boolean {
  return text.length <= maxTokens * 4 && fitTokens(text, maxTokens) >= text.length;
}
