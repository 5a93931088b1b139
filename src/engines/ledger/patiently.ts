import { setTimeout as pause } from 'node:timers/promises';
import { BackendUnavailableError } from '../../core/errors.js';

/** How long work on a ledger waits for other processes, and the delay between two attempts (ms). */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 2;

const isBusyFailure = (error: unknown): boolean =>
  error instanceof BackendUnavailableError && error.reason === 'ledger_busy';

/** Repeats work on a ledger that other processes lock. @throws BackendUnavailableError `ledger_busy` after 5 s */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusyFailure(error) || performance.now() > until) throw error;
    }
    await pause(BUSY_PAUSE_MS);
  }
}
