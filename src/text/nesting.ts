/** Max levels of arrays and objects from clients and providers. More could exhaust the stack of functions. */
export const MAX_LEVELS = 64;

/** True if arrays and objects are nested deeper than `levels`. Stops there, so any depth is safe. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isNestedDeeper(item, levels - 1));
}

/**
 * Largest number of keys and array items of a message. The schemas of the tools permit 58,005 of them at most, in a call of
 * substrate.manifest.create with 2,000 entries and 2,000 removed paths. Each costs about a microsecond of the main thread.
 */
export const MAX_MESSAGE_VALUES = 60_000;

/**
 * Largest number of keys of one object. The schemas of the tools permit less than a hundred; tools of providers may take
 * maps. Time per key grows with the size of the object: 60,000 keys in one object take a second, in sixty a tenth of it.
 */
const MAX_KEYS = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Checks the size of JSON text before it is parsed.
 * @returns the exceeded limit in words that follow "the message"; null if the size is allowed
 */
export function exceededBound(text: string): string | null {
  /** The keys of the open objects; the current one is last. */
  const keys = [0];
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (OPENING.has(code)) {
      values++;
      if (keys.push(0) > MAX_LEVELS + 1) return `is nested more than ${MAX_LEVELS} levels deep`;
    } else if (CLOSING.has(code)) keys.pop();
    else if (code === COMMA) values++;
    else if (code === COLON) {
      const count = (keys.pop() ?? 0) + 1;
      if (count > MAX_KEYS) return `has an object with more than ${MAX_KEYS} keys`;
      keys.push(count);
    }
    // Each array or object that is not empty has one value more than commas.
    if (values > MAX_MESSAGE_VALUES) return `has more than ${MAX_MESSAGE_VALUES} keys and array items`;
  }
  return null;
}

/** Finds the end of a string. @param start  of its opening quotation mark @returns that of the closing one, or the end of the text */
function endOfString(text: string, start: number): number {
  // A quotation mark after an odd number of backslashes is part of the string.
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
