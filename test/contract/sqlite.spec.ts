import { embedderNamed } from '../../src/adapters/embedding/embedder-named.js';
import { InProcessGraphStore } from '../../src/adapters/sqlite/in-process-graph-store.js';
import { askedWordsContract } from './asked-words.contract.js';
import { corpusContract } from './corpus.contract.js';
import { graphStoreContract } from './graph-store.contract.js';
import { indexWriterContract } from './index-writer.contract.js';
import { sectionIndexContract } from './section-index.contract.js';
import { aSqliteGraph, aSqliteIndex, aSqlitePlace, inProcess } from './sqlite-subjects.js';
import { titleConceptsContract } from './title-concepts.contract.js';
import { vectorsContract } from './vectors.contract.js';

// The same on a thread, which takes a few milliseconds more each: test/acceptance/reader-thread.acceptance-spec.ts.
for (const contract of [sectionIndexContract, corpusContract, askedWordsContract, vectorsContract]) {
  contract('InProcessSectionIndex', () => aSqliteIndex(inProcess));
}

indexWriterContract('SqliteIndexWriter', aSqlitePlace);

for (const contract of [graphStoreContract, titleConceptsContract]) {
  contract('InProcessGraphStore', () =>
    aSqliteGraph((file) => new InProcessGraphStore(file, embedderNamed('lsa'))),
  );
}
