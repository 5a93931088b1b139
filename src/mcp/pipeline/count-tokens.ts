import { estimateTokens } from '../../text/estimate-tokens.js';

/** More than one was ever seen to take. */
const TOKENS_PER_HANDLE = 28;
const SESSION_STARTS = ['://scratch/', '"session_id":"'];
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w-]/.test(String.fromCharCode(code))),
);

/** Session, passage and call ids are random, so what they cost must not decide what else is shown. */
function isHandle(json: string, start: number, end: number): boolean {
  const length = end - start;
  return (
    length === 22 || length === 36 || (length === 16 && SESSION_STARTS.some((s) => json.endsWith(s, start)))
  );
}

/** A text without its handles, and how many there were. A loop, since it is read for every answer. */
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

/** Estimates the tokens of a serialised result, whatever its random ids are. */
export function countTokens(json: string): number {
  const { rest, handles } = cutHandles(json);
  // No token is shorter than a byte.
  return Math.min(Buffer.byteLength(json), estimateTokens(rest) + handles * TOKENS_PER_HANDLE);
}
