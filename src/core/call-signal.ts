import { AsyncLocalStorage } from 'node:async_hooks';

interface RunningCall {
  readonly signal: AbortSignal;
  /** Sequence number of the call in this process, from 1. */
  readonly order: number;
}

const calls = new AsyncLocalStorage<RunningCall>();
let begun = 0;

/** Runs a function for a call: all engine requests of the function end when the call's signal fires. */
export function withCallSignal<T>(signal: AbortSignal, run: () => T): T {
  return calls.run({ signal, order: ++begun }, run);
}

/** Runs a function that no call's signal cancels, such as work for several calls. */
export function outsideOfCalls<T>(run: () => T): T {
  return calls.exit(run);
}

/** The signal of the running call, which fires on cancellation and at the deadline; undefined outside of calls. */
export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}

/** The number of the running call, smaller for older calls; 0 outside of calls. */
export function callOrder(): number {
  return calls.getStore()?.order ?? 0;
}

/** Resolves as a promise does. Rejects as soon as the signal fires, even if the work behind the promise goes on. */
export function unlessAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    // Not a race with one promise for all: that promise would keep every result until the end of the call.
    else signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
