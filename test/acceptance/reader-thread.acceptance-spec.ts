import type { GraphStore } from '../../src/core/ports/graph-store.port.js';
import type { SectionIndex } from '../../src/core/ports/section-index.port.js';
import { askedWordsContract } from '../contract/asked-words.contract.js';
import { corpusContract } from '../contract/corpus.contract.js';
import { explainedSearchContract } from '../contract/explained-search.contract.js';
import { graphStoreContract } from '../contract/graph-store.contract.js';
import { sectionIndexContract } from '../contract/section-index.contract.js';
import { aSqliteGraph, aSqliteIndex } from '../contract/sqlite-subjects.js';
import type { EmbedderName } from '../contract/sqlite-subjects.js';
import { titleConceptsContract } from '../contract/title-concepts.contract.js';
import { vectorsContract } from '../contract/vectors.contract.js';

interface Built {
  readonly WorkerSectionIndex: new (thread: unknown) => SectionIndex;
  readonly WorkerGraphStore: new (thread: unknown) => GraphStore;
  readonly ReaderThread: new (file: string, embedder: EmbedderName) => unknown;
}

// The thread loads compiled JavaScript, so the class is taken from there too.
/* eslint-disable @typescript-eslint/no-require-imports */
const { WorkerSectionIndex, WorkerGraphStore, ReaderThread } = {
  ...require('../../dist/engines/sqlite/index/worker-section-index.js'),
  ...require('../../dist/engines/sqlite/graph/worker-graph-store.js'),
  ...require('../../dist/engines/sqlite/reader-thread.js'),
} as Built;
/* eslint-enable @typescript-eslint/no-require-imports */

for (const contract of [
  sectionIndexContract,
  explainedSearchContract,
  corpusContract,
  askedWordsContract,
  vectorsContract,
]) {
  contract('WorkerSectionIndex', () =>
    aSqliteIndex((file, embedder) => new WorkerSectionIndex(new ReaderThread(file, embedder))),
  );
}

for (const contract of [graphStoreContract, titleConceptsContract]) {
  contract('WorkerGraphStore', () =>
    aSqliteGraph((file) => new WorkerGraphStore(new ReaderThread(file, 'lsa'))),
  );
}
