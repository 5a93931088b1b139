import { parentPort, workerData } from 'node:worker_threads';
import { NativeGate } from '../../../core/threads/native-gate.js';
import { enterThrough } from '../../../sqlite/driver.js';
import { toPlain } from '../../../sqlite/reader-messages.js';
import type { LedgerRequest, LedgerResponse } from './ledger-thread.js';
import { LocalLedgerStore } from './local-ledger-store.js';
import { openLedgerToWrite } from './open-ledger-file.js';

enterThrough(new NativeGate(workerData.gate));
const store = new LocalLedgerStore({
  file: String(workerData.file),
  keys: workerData.keys,
  open: openLedgerToWrite,
});

async function answer({ id, method, args }: LedgerRequest): Promise<LedgerResponse> {
  try {
    // Safe because only `ledgerThread` makes requests, with arguments that the compiler has checked.
    const run = store[method] as (...args: readonly unknown[]) => Promise<unknown>;
    return { id, value: await run.apply(store, [...args]) };
  } catch (error) {
    return { id, error: toPlain(error) };
  }
}

parentPort?.on('message', (message: LedgerRequest | 'close') => {
  if (message !== 'close') void answer(message).then((response) => parentPort?.postMessage(response));
  else void store.close().finally(() => parentPort?.close());
});
