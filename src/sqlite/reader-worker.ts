import { parentPort, workerData } from 'node:worker_threads';
import { NativeGate } from '../core/threads/native-gate.js';
import { enterThrough } from './driver.js';
import { embedderOfChoice } from './latent/embedder-named.js';
import { type ReaderRequest, type ReaderResponse, toPlain } from './reader-messages.js';
import { SqliteReader } from './reader-ports.js';

enterThrough(new NativeGate(workerData.gate));
const reader = new SqliteReader(String(workerData.file), embedderOfChoice(workerData.embedder));

function answer({ id, task }: ReaderRequest): ReaderResponse {
  try {
    return { id, value: reader.run(task) };
  } catch (error) {
    return { id, error: toPlain(error) };
  }
}

parentPort?.on('message', (message: ReaderRequest | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(answer(message));
  void reader.close();
  parentPort?.close();
});
