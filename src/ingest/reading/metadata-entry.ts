/** Valid names of metadata. */
export const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** Parameters of `search_docs`, and properties of every JavaScript object and class. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['query', 'limit', 'cursor', 'prototype'],
  ...Object.getOwnPropertyNames(Object.prototype),
]);
export const MAX_VALUE_CHARS = 128;

/** Explains why a metadata name is invalid; null for a valid name. */
export function keyProblem(key: string): string | null {
  if (RESERVED.has(key)) return `"${key}" is reserved; choose another name`;
  if (KEY.test(key)) return null;
  return `"${key.slice(0, 80)}" is not a valid name: use at most 64 letters, digits, "_", "." and "-", starting with a letter`;
}

/** Normalizes a value for comparison and display: white space is collapsed. */
export function plainValue(written: string): string {
  return written
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Explains why a value is invalid; null for a valid value. @param value  from `plainValue`; null for a list or map */
export function valueProblem(key: string, value: string | null): string | null {
  if (value === null) return `"${key}" has a list or a map as its value; a text is expected`;
  if (value.length <= MAX_VALUE_CHARS) return null;
  return `"${key}" has a value of ${value.length} characters; at most ${MAX_VALUE_CHARS} are kept`;
}
