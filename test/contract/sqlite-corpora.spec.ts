import { SqliteCorpusStore } from '../../src/work/corpora/sqlite-corpus-store.js';
import { testFolder } from '../support/test-folder.js';
import { describeCorpusStore } from './corpus-store.contract.js';

const folder = testFolder();
let files = 0;
afterAll(() => folder.remove());

describeCorpusStore(
  'SQLite',
  () => new SqliteCorpusStore({ file: folder.file(`${files++}.sqlite`), creates: true }),
);
