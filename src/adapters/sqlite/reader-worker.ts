import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderRequest, ReaderResponse, ReaderTask } from './reader-messages.js';
import { embedderNamed } from '../embedding/embedder-named.js';
import { toPlain } from './reader-messages.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';

const reader = new SqliteIndexReader(String(workerData.file), embedderNamed(workerData.embedder));

function run(task: ReaderTask): unknown {
  switch (task.method) {
    case 'stamp':
      return reader.stamp();
    case 'search':
      return reader.search(task.query);
    case 'facts':
      return reader.facts(task.scope, task.facetLimit);
  }
}

function answer({ id, task }: ReaderRequest): ReaderResponse {
  try {
    return { id, value: run(task) };
  } catch (error) {
    return { id, error: toPlain(error) };
  }
}

parentPort?.on('message', (message: ReaderRequest | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(answer(message));
  reader.close();
  parentPort?.close();
});
