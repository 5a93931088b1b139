import { AsyncLocalStorage } from 'node:async_hooks';

interface RunningCall {
  readonly signal: AbortSignal;
  /** Counts the calls of this process, from 1. */
  readonly order: number;
}

const calls = new AsyncLocalStorage<RunningCall>();
let begun = 0;

/** Runs something for a call: whatever it asks an engine for ends with the call. */
export function withCallSignal<T>(signal: AbortSignal, run: () => T): T {
  return calls.run({ signal, order: ++begun }, run);
}

/** Fires when the call that is being answered is taken back or its time is over; undefined where there is none. */
export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}

/** The number of the running call, smaller for older calls; 0 outside of calls. */
export function callOrder(): number {
  return calls.getStore()?.order ?? 0;
}
