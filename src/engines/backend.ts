import type { IBackoffFactory, IPolicy } from 'cockatiel';
import { callSignal, unlessAborted } from '../core/call-signal.js';
import { BackendUnavailableError, DeadlineExceededError, PithError } from '../core/errors.js';
import { steadyNow } from '../core/turns/clock.js';

/** Number of retries. The random wait before the first one is at most `firstWaitMs`, and doubles with each further one. */
interface Retries {
  readonly max: number;
  readonly firstWaitMs: number;
}

/** A caller waits for the answer. */
const SERVING: Retries = { max: 2, firstWaitMs: 50 };
/** An index run can wait once the backend has answered: a failed request would end a run of hours. */
const INDEXING: Retries = { max: 4, firstWaitMs: 1_000 };
/** Least time limit of the requests of an index run (ms): writing a batch takes longer than a query. */
const MIN_INDEXING_MS = 60_000;
/** Consecutive failures that open the circuit breaker. */
const FAILURES_TO_OPEN = 5;
/** Time the breaker stays open (ms); then one request tests the backend. */
const OPEN_MS = 5_000;
/** Queued requests per concurrent request. */
const QUEUE_PER_SLOT = 4;

/** The limits of the requests to a backend. */
export interface BackendLimits {
  /** Time limit of each attempt (ms). */
  readonly timeoutMs: number;
  /** Concurrent requests; four times as many may be queued, further ones are refused immediately. */
  readonly concurrency: number;
  /**
   * True for index runs. Once the backend has answered, requests that timed out are retried, and so are writes: each
   * of them may be sent twice. Default: false.
   */
  readonly isIndexing?: boolean;
}

/** The limits of the requests of an index run. */
export function indexingLimits({ timeoutMs, concurrency }: BackendLimits): BackendLimits {
  return { timeoutMs: Math.max(timeoutMs, MIN_INDEXING_MS), concurrency, isIndexing: true };
}

/** The configuration of a backend. */
export interface BackendOptions extends BackendLimits {
  /** `reason` of its errors. */
  readonly name: 'qdrant' | 'neo4j' | 'redis' | 'postgres' | 'embedder' | 'reranker';
  /** Its name in messages. */
  readonly title: string;
  /** True for temporary failures of the backend. All other errors go to the caller unchanged. */
  readonly isTransient: (error: unknown) => boolean;
  /** Returns a number in [0, 1), for the waits. */
  readonly random?: () => number;
}

const ADDRESS_SETTINGS = {
  qdrant: 'PITH_QDRANT_URL',
  neo4j: 'PITH_NEO4J_URL',
  redis: 'PITH_REDIS_URL',
  postgres: 'PITH_DATABASE or PITH_GOVERNANCE_DATABASE',
  embedder: 'PITH_EMBED_URL',
  reranker: 'PITH_RERANK_URL',
} as const satisfies Record<BackendOptions['name'], string>;

type BackendRequest<T> = (signal: AbortSignal) => Promise<T>;

class TimedOut extends Error {}
/** The caller cancelled a request; this is not a failure of the engine. */
class Cancelled extends Error {}

/** Name of the setting for the time limit; models have their own setting. */
function timeoutSetting(name: BackendOptions['name']): string {
  return name === 'embedder' || name === 'reranker' ? 'PITH_MODEL_TIMEOUT_MS' : 'PITH_BACKEND_TIMEOUT_MS';
}

/** Runs a request until its time limit or until the caller cancels it. */
async function within<T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  request: BackendRequest<T>,
): Promise<T> {
  if (caller?.aborted) throw new Cancelled();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new TimedOut()), timeoutMs);
  const signal = caller ? AbortSignal.any([caller, late.signal]) : late.signal;
  try {
    return await unlessAborted(signal, request(signal));
  } catch (error) {
    throw caller?.aborted ? new Cancelled() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A time for which the breaker is open. The library compares it with the system's clock, which can jump. */
const openFor = (ms: number): IBackoffFactory<unknown> => ({
  next: () => {
    const until = steadyNow() + ms;
    return {
      get duration() {
        return steadyNow() < until ? Infinity : -Infinity;
      },
      next: openFor(ms).next,
    };
  },
});

/** The cockatiel policies; created with the first request. */
interface Policies {
  readonly read: IPolicy;
  readonly write: IPolicy;
  /** For both kinds of requests of an index run whose backend has answered. */
  readonly indexing: IPolicy;
  readonly lib: typeof import('cockatiel');
}

/**
 * Protects an engine and its callers: limits concurrency and time of requests, cancels them with their call, opens a
 * circuit breaker while the engine is down, and retries reads with exponential backoff (full jitter).
 */
export class Backend {
  private policies: Promise<Policies> | null = null;
  private isOpen = false;
  private hasAnswered = false;

  constructor(private readonly options: BackendOptions) {}

  /** True while the circuit breaker is open and no requests are sent. */
  get isDown(): boolean {
    return this.isOpen;
  }

  /** Sends a request that may be retried. @throws BackendUnavailableError, DeadlineExceededError, other errors */
  read<T>(request: BackendRequest<T>): Promise<T> {
    return this.send('read', request);
  }

  /** Sends a request that changes data; only index runs retry it. @throws as `read` */
  write<T>(request: BackendRequest<T>): Promise<T> {
    return this.send('write', request);
  }

  private async send<T>(kind: 'read' | 'write', request: BackendRequest<T>): Promise<T> {
    const caller = callSignal();
    caller?.throwIfAborted();
    const policies = await (this.policies ??= this.make());
    try {
      const { timeoutMs, isIndexing } = this.options;
      const policy = policies[isIndexing && this.hasAnswered ? 'indexing' : kind];
      // Queued requests don't observe the signal themselves.
      const answer = await unlessAborted(
        caller,
        policy.execute(() => within(timeoutMs, caller, request), caller),
      );
      this.hasAnswered = true;
      return answer;
    } catch (error) {
      throw this.explain(error, policies.lib, caller);
    }
  }

  private async make(): Promise<Policies> {
    const lib = await import('cockatiel');
    const { concurrency, isTransient, random = Math.random } = this.options;
    const isFailure = (error: Error): boolean =>
      !(error instanceof Cancelled || error instanceof lib.BrokenCircuitError) && isTransient(error);
    const failures = lib.handleWhen(
      (error) =>
        error instanceof TimedOut ||
        isFailure(error) ||
        // While the breaker is open, a cancelled test request does not show that the engine works again.
        (error instanceof Cancelled && this.isOpen),
    );
    const breaker = lib.circuitBreaker(failures, {
      halfOpenAfter: openFor(OPEN_MS),
      breaker: new lib.ConsecutiveBreaker(FAILURES_TO_OPEN),
    });
    breaker.onBreak(() => (this.isOpen = true));
    breaker.onReset(() => (this.isOpen = false));
    const retry = ({ max, firstWaitMs }: Retries, isRetried: (error: Error) => boolean): IPolicy =>
      lib.retry(lib.handleWhen(isRetried), {
        maxAttempts: max,
        backoff: new lib.ExponentialBackoff<number>({
          generator: (retries = 0) => [Math.floor(random() * firstWaitMs * 2 ** retries), retries + 1],
        }),
      });
    // For callers, requests that timed out are not retried: they have waited long enough.
    const reads = retry(SERVING, isFailure);
    const all = retry(INDEXING, (error) => isFailure(error) || error instanceof TimedOut);
    const bulkhead = lib.bulkhead(concurrency, concurrency * QUEUE_PER_SLOT);
    return {
      lib,
      read: lib.wrap(bulkhead, reads, breaker),
      write: lib.wrap(bulkhead, breaker),
      indexing: lib.wrap(bulkhead, all, breaker),
    };
  }

  /** Makes an error with our own message: the engine's may contain addresses, keys or texts. */
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
