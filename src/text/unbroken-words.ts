import type { Span } from './span.js';

/** The characters of Base64, as in files and in addresses. */
const PARTS = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=-')
  PARTS[char.charCodeAt(0)] = 1;

const isPart = (text: string, at: number): boolean => PARTS[text.charCodeAt(at)] === 1;

/**
 * Finds words of at least `least` characters that are letters, digits and the marks of Base64. Such a word contains a place
 * that is a multiple of `least` away from the end of the word before: most characters are not looked at.
 */
export function* unbrokenWords(text: string, least: number): Generator<Span> {
  for (let [at, from] = [least - 1, 0]; at < text.length; at += least) {
    if (!isPart(text, at)) continue;
    let [start, end] = [at, at + 1];
    while (start > from && isPart(text, start - 1)) start -= 1;
    while (end < text.length && isPart(text, end)) end += 1;
    if (end - start >= least) yield { start, end };
    [at, from] = [end, end];
  }
}
