import { estimateTokens } from '../../text/estimate-tokens.js';

/** Above the most tokens that any handle was measured to take. */
const TOKENS_PER_HANDLE = 28;
/** Length of the shortest handle, that of a session. */
const MIN_HANDLE = 16;
const SESSION_STARTS = ['://scratch/', '"session_id":"'];
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w-]/.test(String.fromCharCode(code))),
);

/** Session, passage and call ids are random. Counted at a fixed cost, they don't change how many items fit. */
function isHandle(json: string, start: number, end: number): boolean {
  const length = end - start;
  return (
    length === 22 ||
    length === 36 ||
    (length === MIN_HANDLE && SESSION_STARTS.some((s) => json.endsWith(s, start)))
  );
}

const isWord = (code: number): boolean => code < 128 && IS_WORD[code] === 1;

/**
 * Cuts out and counts handles, for every answer. Few characters are looked at: no handle lies within 16 characters
 * of which one belongs to no word, so the search goes on after the last such one.
 */
function cutHandles(json: string): { readonly rest: string; readonly handles: number } {
  const rest: string[] = [];
  let [kept, start] = [0, 0];
  while (start + MIN_HANDLE <= json.length) {
    let at = start + MIN_HANDLE - 1;
    while (at >= start && isWord(json.charCodeAt(at))) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + MIN_HANDLE;
    while (end < json.length && isWord(json.charCodeAt(end))) end++;
    if (isHandle(json, start, end)) {
      rest.push(json.slice(kept, start));
      kept = end;
    }
    start = end + 1;
  }
  return { rest: rest.join('') + json.slice(kept), handles: rest.length };
}

/** Estimates the tokens of a serialised result, independently of its random ids. */
export function countTokens(json: string): number {
  const { rest, handles } = cutHandles(json);
  // A token has at least one byte.
  return Math.min(Buffer.byteLength(json), estimateTokens(rest) + handles * TOKENS_PER_HANDLE);
}
