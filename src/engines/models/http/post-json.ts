import { boundedText } from '../../../text/bounded-text.js';

/** An HTTP error status. The body is not kept: it may repeat the request or a key. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    /** From the `Retry-After` header; null without one. */
    readonly retryAfterMs: number | null,
  ) {
    super(`HTTP ${status}`);
  }
}

/** An answer that is too long or not JSON. */
export class UnreadableAnswer extends Error {}

interface JsonPost {
  readonly url: string;
  readonly body: unknown;
  /** Sent as a bearer token; if it is empty, no token is sent. */
  readonly apiKey: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** No answer, or the connection ended before the answer was complete. */
export class NoAnswer extends Error {}

const TEMPORARY = [408, 425, 500, 502, 503, 504];
const TOO_MANY = 429;

/** True if an immediate retry may succeed; false for 429, which needs a wait. */
export function isTransientHttp(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof HttpFailure && TEMPORARY.includes(error.status));
}

/** True if a later retry may succeed, including 429. */
export function isTemporary(error: unknown): boolean {
  return isTransientHttp(error) || (error instanceof HttpFailure && error.status === TOO_MANY);
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfterOf(response: Response, now: number): number | null {
  const value = response.headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

const readText = ({ body }: Response, maxBytes: number): Promise<string> =>
  boundedText(body, maxBytes, () => new UnreadableAnswer(`the response is larger than ${maxBytes} bytes`));

/** Turns fetch's errors, whose classes are not public, into `NoAnswer`; aborts and our own errors stay unchanged. */
async function answered<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted || error instanceof UnreadableAnswer) throw error;
    throw new NoAnswer('no response', { cause: error });
  }
}

function send({ url, body, apiKey, signal }: JsonPost): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    // A redirect would send the key to another address.
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });
}

/** Sends a request and parses the answer. @throws HttpFailure, NoAnswer, UnreadableAnswer, or the signal's reason */
export async function postJson(post: JsonPost): Promise<unknown> {
  const { signal, maxBytes } = post;
  const response = await answered(signal, () => send(post));
  if (!response.ok) {
    await response.body?.cancel();
    throw new HttpFailure(response.status, retryAfterOf(response, Date.now()));
  }
  const text = await answered(signal, () => readText(response, maxBytes));
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('the response is not JSON');
  }
}
