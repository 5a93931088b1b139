/** A request that a server refused or failed. Its text stays with the server: it may repeat what was sent, or a key. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    /** How long the server asks to be left alone; null where it says nothing. */
    readonly retryAfterMs: number | null,
  ) {
    super(`HTTP ${status}`);
  }
}

/** An answer that is too long, or no JSON. */
export class UnreadableAnswer extends Error {}

/** One question to a server that speaks JSON. */
export interface JsonPost {
  readonly url: string;
  readonly body: unknown;
  /** Sent as a bearer token; empty sends none. */
  readonly apiKey: string;
  /** Longest answer that is read. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** No answer, or the connection ended within it. */
export class NoAnswer extends Error {}

/** Passing trouble: asking again may help. */
const PASSING = [408, 425, 500, 502, 503, 504];
const TOO_MANY = 429;

/** Whether the same request may be answered in a moment; a server that has too many says itself when. */
export function isPassing(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof HttpFailure && PASSING.includes(error.status));
}

/** Whether it may be answered some time: also once a busy server has less to do. */
export function mayPass(error: unknown): boolean {
  return isPassing(error) || (error instanceof HttpFailure && error.status === TOO_MANY);
}

/** Seconds, or a date. */
function retryAfterOf(response: Response, now: number): number | null {
  const value = response.headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new UnreadableAnswer(`the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What fetch throws belongs to it, not to us, so its class tells nothing; what ends it early is told as it is. */
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
    // It would take the key along.
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

/**
 * Asks a server and reads its answer.
 * @throws HttpFailure, NoAnswer, UnreadableAnswer, or the signal's reason
 */
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
