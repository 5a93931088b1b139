import { clipToTokens } from './estimate-tokens.js';

/** Text of fewer words is too short to say that it repeats itself. */
const MIN_WORDS = 4;
/** Prose and code stay above it; one identifier over and over does not. */
const REPEATING_BELOW = 0.34;
/** on repeating text up to 1.5 times the estimate was seen. */
const REPEATING_SHARE = 0.6;

/** Whether a text says the same few words over and over, which the estimate is too low for. */
function repeatsItself(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length >= MIN_WORDS && new Set(words).size / words.length < REPEATING_BELOW;
}

/** A run of letters without end, such as one word glued together: up to 1.7 times the estimate was seen. */
const ENDLESS_WORD = /[A-Za-z]{40}/;
const ENDLESS_SHARE = 0.55;

function shareFor(text: string): number {
  if (ENDLESS_WORD.test(text)) return ENDLESS_SHARE;
  return repeatsItself(text) ? REPEATING_SHARE : 1;
}

/**
 * How much of a text keeps a hard cap: like `clipToTokens`, with a reserve for text that the estimate is too low for.
 * @returns a UTF-16 offset, never inside a surrogate pair
 */
export function fitTokens(text: string, maxTokens: number): number {
  // No more than this can fit, so what is behind it need not be looked at.
  const reach = text.slice(0, maxTokens * 4);
  return clipToTokens(reach, maxTokens * shareFor(reach));
}

/** Whether all of a text keeps a hard cap. */
export function fitsTokens(text: string, maxTokens: number): boolean {
  return text.length <= maxTokens * 4 && fitTokens(text, maxTokens) >= text.length;
}
