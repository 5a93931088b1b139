/** A name that documents can be told apart by. */
export const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** The other parameters of `search_docs`, and what every object and every class of JavaScript answers to. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['query', 'limit', 'cursor', 'prototype'],
  ...Object.getOwnPropertyNames(Object.prototype),
]);
export const MAX_VALUE_CHARS = 128;

/** Why metadata can't have this name, in words; null when it can. */
export function keyProblem(key: string): string | null {
  if (RESERVED.has(key)) return `"${key}" is reserved; choose another name`;
  if (KEY.test(key)) return null;
  return `"${key.slice(0, 80)}" is not a valid name: use at most 64 letters, digits, "_", "." and "-", starting with a letter`;
}

/** A value as it is compared and shown: whitespace collapsed. */
export function plainValue(written: string): string {
  return written
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Why a value can't be kept, in words; null when it can. @param value  as `plainValue` gives it; null for a list or map */
export function valueProblem(key: string, value: string | null): string | null {
  if (value === null) return `"${key}" has a list or a map as its value; a text is expected`;
  if (value.length <= MAX_VALUE_CHARS) return null;
  return `"${key}" has a value of ${value.length} characters; at most ${MAX_VALUE_CHARS} are kept`;
}
