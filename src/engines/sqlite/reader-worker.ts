import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderRequest, ReaderResponse, ReaderTask } from './reader-messages.js';
import { embedderNamed, embedderOfChoice } from '../models/embedding/embedder-named.js';
import { NativeGate } from '../native-gate.js';
import { enterThrough } from './driver.js';
import { IndexFile } from './index-file.js';
import { toPlain } from './reader-messages.js';
import { SqliteGraphReader } from './graph/sqlite-graph-reader.js';
import { SqliteIndexReader } from './index/sqlite-index-reader.js';
import { SqliteMemoryReader } from './memory/sqlite-memory-reader.js';

enterThrough(new NativeGate(workerData.gate));
const embedder = embedderOfChoice(workerData.embedder);
const file = new IndexFile(String(workerData.file), embedder.profile);
const reader = new SqliteIndexReader(file, embedder);
const graph = new SqliteGraphReader(file);
// Memory has a space of its own, whatever documents are embedded with.
const memory = new SqliteMemoryReader(file, embedderNamed('lsa'));

function run(task: ReaderTask): unknown {
  switch (task.method) {
    case 'stamp':
      return reader.stamp();
    case 'search':
      return reader.search(task.query);
    case 'sections':
      return reader.sections(task.scope, task.ids);
    case 'describe':
      return graph.describe(task.scope, task.ids, task.withSnippet);
    case 'bridges':
      return graph.bridges(task.scope, task.ids);
    case 'walk':
      return graph.walk(task.query);
    case 'expand':
      return graph.expand(task.query, task.page);
    case 'facts':
      return reader.facts(task.scope, task.facetLimit);
    case 'neighbours':
      return reader.neighbours(task.scope, task.id, task.context);
    case 'corpus':
      return reader.corpus(task.scope);
    case 'documents':
      return reader.documents(task.scope, task.offset, task.limit);
    case 'resources':
      return reader.resources(task.scope, task.after, task.limit);
    case 'resource':
      return reader.resource(task.scope, task.path);
    case 'candidates':
      return memory.candidates(task.query, task.provider);
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
  file.close();
  parentPort?.close();
});
