import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';

export type { Schemas };
import { BackendUnavailableError } from '../../core/errors.js';
import { Backend, type BackendLimits } from '../backend.js';

export type Filter = Schemas['Filter'];
export type QdrantCondition = Schemas['Condition'];
export type Search = Schemas['QueryRequest'];
export type ScoredPoint = Schemas['ScoredPoint'];
export type QdrantApi = ReturnType<QdrantClient['api']>;

interface QdrantOptions extends BackendLimits {
  readonly url: string;
  /** Empty if none is needed. */
  readonly apiKey: string;
}

/** A response that Qdrant would not send; another program or a proxy has answered. */
class GarbledAnswer extends Error {}

class RefusedRequest extends Error {}

/** One request to the client's API. */
export type AskQdrant<T> = (
  api: QdrantApi,
  init: { readonly signal: AbortSignal },
) => Promise<{ readonly data: { result?: T } }>;

/** Where a scroll goes on; undefined at its start and after its last page. */
export type ScrollOffset = string | number | undefined;

/** Reads the offset of the next page. */
export function nextOffset(next: unknown): ScrollOffset {
  return typeof next === 'string' || typeof next === 'number' ? next : undefined;
}

/** The HTTP status of an error response; null for other errors. */
export function statusOf(error: unknown): number | null {
  const isAnswer = typeof error === 'object' && error !== null && 'status' in error && 'headers' in error;
  return isAnswer && typeof error.status === 'number' ? error.status : null;
}

/**
 * For a failed connection, `fetch` throws a TypeError whose cause is the socket's error; a truncated response is a
 * SyntaxError of `JSON.parse`. Names are compared because a sandbox, such as Jest's, has its own error classes.
 */
function isLostConnection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('name' in error)) return false;
  return error.name === 'SyntaxError' || (error.name === 'TypeError' && 'cause' in error);
}

/** True if a retry may succeed: no connection, an overloaded server, or a truncated response. */
function isTransient(error: unknown): boolean {
  if (error instanceof RefusedRequest) return false;
  const status = statusOf(error);
  if (status !== null) return status === 408 || status === 429 || status >= 500;
  return error instanceof GarbledAnswer || isLostConnection(error);
}

/** Replaces errors that only a change of code or configuration can fix; other errors are returned unchanged. */
function explain(error: unknown): unknown {
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return new BackendUnavailableError('Qdrant rejected the API key.', {
      reason: 'qdrant',
      hint: 'The operator should set PITH_QDRANT_API_KEY to a valid key and restart the server.',
      commandHint: 'Set PITH_QDRANT_API_KEY to a valid key; `pith index` needs a key with write access.',
      cause: error,
    });
  }
  // The caller explains a 404 and a 409.
  if (status === null || status === 404 || status === 409 || isTransient(error)) return error;
  // Qdrant's own message is not logged, because it may repeat the request.
  return new RefusedRequest(`Qdrant rejected a request with HTTP ${status}; see the Qdrant log.`);
}

/** The client's options for a URL: it expects the path separately, and uses port 6333 unless told otherwise. */
function clientParts(url: string) {
  const { protocol, host, pathname } = new URL(url);
  // `URL` omits a default port (80, 443) even if it was written.
  const hasPort = /^https?:\/\/[^/]*:\d+(?:\/|$)/u.test(url);
  const prefix = pathname.replace(/\/+$/u, '');
  return { url: `${protocol}//${host}`, ...(prefix ? { prefix } : {}), port: hasPort ? null : 6333 };
}

/** Sends limited requests to Qdrant; the library is loaded with the first request. */
export class QdrantConnection {
  private client: Promise<QdrantApi> | null = null;
  private readonly backend: Backend;

  constructor(private readonly options: QdrantOptions) {
    const { timeoutMs, concurrency, isIndexing = false } = options;
    const limits = { timeoutMs, concurrency, isIndexing };
    this.backend = new Backend({ name: 'qdrant', title: 'Qdrant', ...limits, isTransient });
  }

  /** Sends a request that changes nothing. @throws BackendUnavailableError, DeadlineExceededError */
  read<T>(ask: AskQdrant<T>): Promise<T> {
    return this.backend.read((signal) => this.ask(ask, signal));
  }

  /** Sends a request that changes data. @throws as `read` */
  write<T>(ask: AskQdrant<T>): Promise<T> {
    return this.backend.write((signal) => this.ask(ask, signal));
  }

  private async ask<T>(ask: AskQdrant<T>, signal: AbortSignal): Promise<T> {
    const api = await (this.client ??= this.connect());
    try {
      const { data } = await ask(api, { signal });
      if (typeof data !== 'object' || data.result === undefined) throw new GarbledAnswer('no result');
      return data.result;
    } catch (error) {
      throw explain(error);
    }
  }

  private async connect(): Promise<QdrantApi> {
    const { QdrantClient: Client } = await import('@qdrant/js-client-rest');
    const { url, apiKey } = this.options;
    // A time limit of the client would disable our signals.
    const common = { timeout: Infinity, checkCompatibility: false, ...clientParts(url) };
    // The key is a header, because with the option `apiKey` the client prints a warning about plain HTTP. Responses are
    // not compressed, because small compressed ones are delayed by 40 ms.
    const headers = { 'accept-encoding': 'identity', ...(apiKey ? { 'api-key': apiKey } : {}) };
    return new Client({ ...common, headers }).api();
  }
}
