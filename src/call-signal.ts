import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Runs something for a call: whatever it asks an engine for ends with the call. */
export function withCallSignal<T>(signal: AbortSignal, run: () => T): T {
  return signals.run(signal, run);
}

/** Fires when the call that is being answered is taken back or its time is over; undefined where there is none. */
export function callSignal(): AbortSignal | undefined {
  return signals.getStore();
}
