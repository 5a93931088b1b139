import { estimateTokens } from '../../text/estimate-tokens.js';

/** Above the most tokens that any handle was measured to take. */
const TOKENS_PER_HANDLE = 28;
const SESSION_STARTS = ['://scratch/', '"session_id":"'];
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w-]/.test(String.fromCharCode(code))),
);

/** Session, passage and call ids are random. Counted at a fixed cost, they don't change how many items fit. */
function isHandle(json: string, start: number, end: number): boolean {
  const length = end - start;
  return (
    length === 22 || length === 36 || (length === 16 && SESSION_STARTS.some((s) => json.endsWith(s, start)))
  );
}

/** Cuts out and counts handles, for every answer: a loop is faster than a regular expression. */
function cutHandles(json: string): { readonly rest: string; readonly handles: number } {
  const rest: string[] = [];
  let [kept, start] = [0, 0];
  for (let at = 0; at <= json.length; at++) {
    if (IS_WORD[json.charCodeAt(at)] === 1) continue;
    if (at - start >= 16 && isHandle(json, start, at)) {
      rest.push(json.slice(kept, start));
      kept = at;
    }
    start = at + 1;
  }
  return { rest: rest.join('') + json.slice(kept), handles: rest.length };
}

/** Estimates the tokens of a serialised result, independently of its random ids. */
export function countTokens(json: string): number {
  const { rest, handles } = cutHandles(json);
  // A token has at least one byte.
  return Math.min(Buffer.byteLength(json), estimateTokens(rest) + handles * TOKENS_PER_HANDLE);
}
