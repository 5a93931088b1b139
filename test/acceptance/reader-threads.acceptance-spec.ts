import type { makePort as makePortSource, TaskRunner } from '../../src/sqlite/reader-ports.js';
import { askedWordsContract } from '../contract/asked-words.contract.js';
import { corpusContract } from '../contract/corpus.contract.js';
import { explainedSearchContract } from '../contract/explained-search.contract.js';
import { graphStoreContract } from '../contract/graph-store.contract.js';
import { sectionIndexContract } from '../contract/section-index.contract.js';
import { aSqliteGraph, aSqliteIndex, type EmbedderName } from '../contract/sqlite-subjects.js';
import { titleConceptsContract } from '../contract/title-concepts.contract.js';
import { vectorsContract } from '../contract/vectors.contract.js';

interface Built {
  readonly makePort: typeof makePortSource;
  readonly ReaderThreads: new (file: string, embedder: EmbedderName) => TaskRunner;
}

// The thread loads compiled JavaScript, so the class is taken from there too.
/* eslint-disable @typescript-eslint/no-require-imports */
const { makePort, ReaderThreads } = {
  ...require('../../dist/sqlite/reader-ports.js'),
  ...require('../../dist/sqlite/reader-threads.js'),
} as Built;
/* eslint-enable @typescript-eslint/no-require-imports */

for (const contract of [
  sectionIndexContract,
  explainedSearchContract,
  corpusContract,
  askedWordsContract,
  vectorsContract,
]) {
  contract('ReaderThreads, sections', () =>
    aSqliteIndex((file, embedder) => makePort('sections', new ReaderThreads(file, embedder))),
  );
}

for (const contract of [graphStoreContract, titleConceptsContract]) {
  contract('ReaderThreads, graph', () =>
    aSqliteGraph((file) => makePort('graph', new ReaderThreads(file, 'lsa'))),
  );
}
