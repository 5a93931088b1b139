import { SqliteRunStore } from '../../src/work/runs/sqlite-run-store.js';
import { testFolder } from '../support/test-folder.js';
import { runStoreContract } from './run-store.contract.js';

runStoreContract('SqliteRunStore', async () => {
  const folder = testFolder();
  const place = { file: folder.file('index.work.sqlite'), creates: true };
  return { open: () => new SqliteRunStore(place), remove: async () => folder.remove() };
});
