import type { PlainError } from '../../../sqlite/reader-messages.js';
import type { LedgerStore } from './ledger-store.js';

/** Methods that run on the thread. */
type LedgerMethod = Exclude<keyof LedgerStore, 'close'>;

/** A task for the thread, with the arguments of the store's method. */
export type LedgerTask = {
  [M in LedgerMethod]: { readonly method: M; readonly args: Parameters<LedgerStore[M]> };
}[LedgerMethod];

export interface LedgerRequest {
  readonly id: number;
  readonly task: LedgerTask;
}

export type LedgerResponse =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: PlainError };

/** Runs a task on a store. */
export function runLedgerTask(store: LedgerStore, task: LedgerTask): Promise<unknown> {
  switch (task.method) {
    case 'append':
      return store.append(...task.args);
    case 'head':
      return store.head();
    case 'lines':
      return store.lines(...task.args);
    case 'runs':
      return store.runs(...task.args);
    case 'remove':
      return store.remove(...task.args);
    case 'verify':
      return store.verify(...task.args);
  }
}
