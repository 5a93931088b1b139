import { askedWordsContract } from './asked-words.contract.js';
import { corpusContract } from './corpus.contract.js';
import { explainedSearchContract } from './explained-search.contract.js';
import { indexWriterContract } from './index-writer.contract.js';
import { sectionIndexContract } from './section-index.contract.js';
import { aSqliteIndex, aSqlitePlace, inProcess } from './sqlite-subjects.js';
import { vectorsContract } from './vectors.contract.js';

// The same on a thread, which takes a few milliseconds more per test: test/acceptance/reader-threads.acceptance-spec.ts.
for (const contract of [
  sectionIndexContract,
  explainedSearchContract,
  corpusContract,
  askedWordsContract,
  vectorsContract,
]) {
  contract('SqliteReader, sections', () => aSqliteIndex(inProcess));
}

indexWriterContract('SqliteIndexWriter', aSqlitePlace);
