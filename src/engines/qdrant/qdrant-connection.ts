import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { BackendUnavailableError } from '../../core/errors.js';
import { Backend } from '../backend.js';

export type Filter = Schemas['Filter'];
export type QdrantCondition = Schemas['Condition'];
export type Search = Schemas['QueryRequest'];
export type ScoredPoint = Schemas['ScoredPoint'];
export type QdrantApi = ReturnType<QdrantClient['api']>;

/** Where Qdrant is and how much may be asked of it. */
export interface QdrantOptions {
  readonly url: string;
  /** Empty where none is needed. */
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** An answer that is none of Qdrant's: something else stands at its address, or between. */
class GarbledAnswer extends Error {}

/** A request that Qdrant did not take. */
class RefusedRequest extends Error {}

/** One request of the client's. */
export type AskQdrant<T> = (
  api: QdrantApi,
  init: { readonly signal: AbortSignal },
) => Promise<{ readonly data: { result?: T } }>;

/** The status of an answer that reports a failure; null where there was no such answer. */
export function statusOf(error: unknown): number | null {
  const isAnswer = typeof error === 'object' && error !== null && 'status' in error && 'headers' in error;
  return isAnswer && typeof error.status === 'number' ? error.status : null;
}

/**
 * `fetch` says TypeError, with the socket's error as its cause, for every connection that failed; an answer that was cut
 * short is a SyntaxError of `JSON.parse`. By name: a sandbox has classes of its own.
 */
function isLostConnection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('name' in error)) return false;
  return error.name === 'SyntaxError' || (error.name === 'TypeError' && 'cause' in error);
}

/** Whether asking again may help: no connection, an overloaded server, or an answer that was cut short. */
function isTransient(error: unknown): boolean {
  if (error instanceof RefusedRequest) return false;
  const status = statusOf(error);
  if (status !== null) return status === 408 || status === 429 || status >= 500;
  return error instanceof GarbledAnswer || isLostConnection(error);
}

function keyRefused(cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError('Qdrant rejected the API key.', {
    reason: 'qdrant',
    hint: 'The operator should set PITH_QDRANT_API_KEY to a valid key and restart the server.',
    commandHint: 'Set PITH_QDRANT_API_KEY to a valid key; `pith index` needs a key with write access.',
    cause,
  });
}

/** Failures of requests that nothing but a change of code or configuration mends. */
function explain(error: unknown): unknown {
  const status = statusOf(error);
  if (status === 401 || status === 403) return keyRefused(error);
  // What is not there is the caller's to explain.
  if (status === null || status === 404 || isTransient(error)) return error;
  // Its words may repeat what was asked: they stay out of the log.
  return new RefusedRequest(`Qdrant rejected a request with HTTP ${status}; see the Qdrant log.`);
}

/** What the client is given: it takes a path apart from the rest, and 6333 for a port that `URL` leaves out. */
function clientParts(url: string): {
  readonly url: string;
  readonly prefix?: string;
  readonly port: number | null;
} {
  const { protocol, host, pathname } = new URL(url);
  const isSaid = /^https?:\/\/[^/]*:\d+(?:\/|$)/u.test(url);
  const prefix = pathname.replace(/\/+$/u, '');
  return { url: `${protocol}//${host}`, ...(prefix ? { prefix } : {}), port: isSaid ? null : 6333 };
}

/** Asks Qdrant, within bounds; the library is loaded with the first request. */
export class QdrantConnection {
  private client: Promise<QdrantApi> | null = null;
  private readonly backend: Backend;

  constructor(private readonly options: QdrantOptions) {
    const { timeoutMs, concurrency } = options;
    this.backend = new Backend({ name: 'qdrant', title: 'Qdrant', timeoutMs, concurrency, isTransient });
  }

  /** Asks something that changes nothing. @throws BackendUnavailableError, DeadlineExceededError */
  read<T>(ask: AskQdrant<T>): Promise<T> {
    return this.backend.read((signal) => this.ask(ask, signal));
  }

  /** Asks for a change. @throws as `read` */
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
    // No time limit of its own: that would put our signals out of action.
    const common = { timeout: Infinity, checkCompatibility: false, ...clientParts(url) };
    // As a header: given as `apiKey`, the client warns on the console about plain HTTP. And `identity`, since small
    // compressed replies stall for 40 ms.
    const headers = { 'accept-encoding': 'identity', ...(apiKey ? { 'api-key': apiKey } : {}) };
    return new Client({ ...common, headers }).api();
  }
}
