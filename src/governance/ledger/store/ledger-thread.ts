import { BackendUnavailableError } from '../../../core/errors.js';
import { AnsweringThread } from '../../../core/threads/answering-thread.js';
import { fromPlain, type PlainError } from '../../../sqlite/reader-messages.js';
import type { LedgerKeys } from '../ledger-chain.js';
import type { LedgerStore } from './ledger-store.js';

/** Methods that run on the thread. The compiler rejects this table if it misses one. */
const METHODS: Readonly<Record<Exclude<keyof LedgerStore, 'close'>, true>> = {
  append: true,
  head: true,
  lines: true,
  runs: true,
  remove: true,
  verify: true,
};

/** A call of a method of the store, as data. */
export interface LedgerRequest {
  readonly id: number;
  readonly method: keyof typeof METHODS;
  readonly args: readonly unknown[];
}

export type LedgerResponse =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: PlainError };

function threadLost(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('The thread that writes the ledger stopped.', {
    reason: 'ledger_lost',
    hint: 'Try again; the thread restarts.',
    cause,
  });
}

/**
 * A ledger file in a thread of its own, so that waiting for the disk and for other processes does not block the event
 * loop. The thread starts with the first task and restarts if it dies.
 */
export function ledgerThread(file: string, keys: LedgerKeys): LedgerStore {
  const terms = { script: 'ledger-worker.cjs', data: { file, keys }, lost: threadLost };
  const thread = new AnsweringThread<LedgerResponse>(terms);
  const ask = async (method: string, args: readonly unknown[]): Promise<unknown> => {
    const response = await thread.ask({ method, args });
    if ('error' in response) throw fromPlain(response.error);
    return response.value;
  };
  const methods = Object.keys(METHODS).map((method) => [
    method,
    (...args: readonly unknown[]) => ask(method, args),
  ]);
  // Safe because METHODS has every method of the store, and the thread calls the method of the same name.
  return { ...Object.fromEntries(methods), close: () => thread.close() } as LedgerStore;
}
