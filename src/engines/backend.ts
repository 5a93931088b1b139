import type { IPolicy } from 'cockatiel';
import { callSignal } from '../core/call-signal.js';
import { BackendUnavailableError, DeadlineExceededError, PithError } from '../core/errors.js';

/** Asks again this many times, and only where asking twice changes nothing. */
const MOST_RETRIES = 2;
/** Waits before it asks again: a random time up to this (ms), twice as much the second time. */
const FIRST_WAIT_MS = 50;
/** A backend that failed so many times in a row is left alone … */
const FAILURES_TO_OPEN = 5;
/** … for so long (ms); then one request tries it. */
const OPEN_MS = 5_000;
/** So many requests wait for each that may run. */
const QUEUE_PER_SLOT = 4;

/** What is known of a backend before it is asked. */
export interface BackendOptions {
  /** `reason` of its errors. */
  readonly name: 'qdrant' | 'neo4j' | 'redis' | 'embedder' | 'reranker';
  /** As people call it. */
  readonly title: string;
  /** How long one request may take (ms), each attempt by itself. */
  readonly timeoutMs: number;
  /** Requests at a time; four times as many may wait, all others are refused at once. */
  readonly concurrency: number;
  /** Whether a failure is the backend's and may be gone the next time; all others go to the caller as they are. */
  readonly isTransient: (error: unknown) => boolean;
  /** Draws a number in [0, 1) for each wait. */
  readonly random?: () => number;
}

/** The setting that says where a backend is. */
const ADDRESS_SETTINGS = {
  qdrant: 'PITH_QDRANT_URL',
  neo4j: 'PITH_NEO4J_URL',
  redis: 'PITH_REDIS_URL',
  embedder: 'PITH_EMBED_URL',
  reranker: 'PITH_RERANK_URL',
} as const satisfies Record<BackendOptions['name'], string>;

type Ask<T> = (signal: AbortSignal) => Promise<T>;

/** A request that took longer than it may. */
class TimedOut extends Error {}
/** A request whose caller has gone, which says nothing about the engine. */
class TakenBack extends Error {}

/** The setting that bounds a request: models have one of their own. */
function timeoutSetting(name: BackendOptions['name']): string {
  return name === 'embedder' || name === 'reranker' ? 'PITH_MODEL_TIMEOUT_MS' : 'PITH_BACKEND_TIMEOUT_MS';
}

/** Ends a wait with a signal, even where what is waited for does not listen to it. */
async function orEnd<T>(signal: AbortSignal | undefined, wait: Promise<T>): Promise<T> {
  if (!signal) return wait;
  let stop = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([over, wait]).finally(() => signal.removeEventListener('abort', stop));
}

/** Ends a request with its time or its caller. */
async function within<T>(timeoutMs: number, caller: AbortSignal | undefined, ask: Ask<T>): Promise<T> {
  if (caller?.aborted) throw new TakenBack();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new TimedOut()), timeoutMs);
  const signal = caller ? AbortSignal.any([caller, late.signal]) : late.signal;
  try {
    return await orEnd(signal, ask(signal));
  } catch (error) {
    throw caller?.aborted ? new TakenBack() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** How requests are passed on, made with the first one. */
interface Policies {
  readonly read: IPolicy;
  readonly write: IPolicy;
  readonly lib: typeof import('cockatiel');
}

/**
 * Stands between an adapter and its engine: few requests at a time, none longer than its time or its call, none at all
 * while the engine is known to be down, and reads asked again with growing random waits (full jitter).
 */
export class Backend {
  private policies: Promise<Policies> | null = null;
  private isOpen = false;

  constructor(private readonly options: BackendOptions) {}

  /** Whether the last requests failed, so that none are sent for a while. */
  get isDown(): boolean {
    return this.isOpen;
  }

  /**
   * Asks something that changes nothing.
   * @throws BackendUnavailableError, DeadlineExceededError, or what the adapter itself throws
   */
  read<T>(ask: Ask<T>): Promise<T> {
    return this.send('read', ask);
  }

  /** Asks for a change, once. @throws as `read` */
  write<T>(ask: Ask<T>): Promise<T> {
    return this.send('write', ask);
  }

  private async send<T>(kind: 'read' | 'write', ask: Ask<T>): Promise<T> {
    const caller = callSignal();
    caller?.throwIfAborted();
    const policies = await (this.policies ??= this.make());
    try {
      const { timeoutMs } = this.options;
      // Requests that wait, in the queue or for another one to try the engine, listen to no signal by themselves.
      return await orEnd(
        caller,
        policies[kind].execute(() => within(timeoutMs, caller, ask), caller),
      );
    } catch (error) {
      throw this.explain(error, policies.lib, caller);
    }
  }

  private async make(): Promise<Policies> {
    const lib = await import('cockatiel');
    const { concurrency, isTransient, random = Math.random } = this.options;
    const isFailure = (error: Error): boolean =>
      !(error instanceof TakenBack || error instanceof lib.BrokenCircuitError) && isTransient(error);
    const failures = lib.handleWhen(
      (error) =>
        error instanceof TimedOut ||
        isFailure(error) ||
        // Of an engine that was down, a request that its caller took back has proved nothing.
        (error instanceof TakenBack && this.isOpen),
    );
    const breaker = lib.circuitBreaker(failures, {
      halfOpenAfter: OPEN_MS,
      breaker: new lib.ConsecutiveBreaker(FAILURES_TO_OPEN),
    });
    breaker.onBreak(() => (this.isOpen = true));
    breaker.onReset(() => (this.isOpen = false));
    const backoff = new lib.ExponentialBackoff<number>({
      generator: (retries = 0) => [Math.floor(random() * FIRST_WAIT_MS * 2 ** retries), retries + 1],
    });
    // What took too long once is not asked again: its caller has waited enough.
    const retry = lib.retry(lib.handleWhen(isFailure), { maxAttempts: MOST_RETRIES, backoff });
    const bulkhead = lib.bulkhead(concurrency, concurrency * QUEUE_PER_SLOT);
    const write = lib.wrap(bulkhead, breaker);
    return { lib, write, read: lib.wrap(bulkhead, retry, breaker) };
  }

  /** Says what went wrong in our words: an engine's own may hold addresses, keys or texts. */
  private explain(error: unknown, lib: typeof import('cockatiel'), caller?: AbortSignal): unknown {
    if (caller?.aborted) return caller.reason;
    if (error instanceof PithError) return error;
    const { name, title, timeoutMs, isTransient } = this.options;
    if (error instanceof TimedOut) {
      return new DeadlineExceededError(`${title} did not answer within ${timeoutMs} ms.`, {
        reason: name,
        hint: `Try again in a moment. The operator can check the service or raise ${timeoutSetting(name)}.`,
        commandHint: `Run this again; if ${title} stays slow, raise ${timeoutSetting(name)}.`,
        cause: error,
      });
    }
    if (error instanceof lib.BulkheadRejectedError)
      return this.unavailable(`${title} has too many requests waiting.`, error);
    if (error instanceof lib.BrokenCircuitError)
      return this.unavailable(`${title} failed recently and is not called for a few seconds.`, error);
    return isTransient(error) ? this.unavailable(`${title} can't be reached.`, error) : error;
  }

  private unavailable(message: string, cause: unknown): BackendUnavailableError {
    const { name, title } = this.options;
    return new BackendUnavailableError(message, {
      reason: name,
      hint: 'Try again in a moment. /admin/ready shows the operator which backend is down.',
      commandHint: `Check that ${title} is running and that ${ADDRESS_SETTINGS[name]} is right, then run this again.`,
      cause,
    });
  }
}
