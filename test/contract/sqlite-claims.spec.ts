import { openDatabase } from '../../src/sqlite/driver.js';
import { SqliteClaimStore } from '../../src/work/claims/sqlite-claim-store.js';
import { testFolder } from '../support/test-folder.js';
import { claimStoreContract } from './claim-store.contract.js';

claimStoreContract('SqliteClaimStore', () => {
  const folder = testFolder();
  const clock = { at: 1 };
  const file = folder.file('index.work.sqlite');
  return {
    open: () => new SqliteClaimStore({ file, creates: true, maxBytes: 1e9, now: () => clock.at }),
    setTime: (at) => {
      clock.at = at;
    },
    lock: () => {
      const database = openDatabase(file, {});
      database.exec('BEGIN IMMEDIATE');
      return () => database.close();
    },
    dispose: () => folder.remove(),
  };
});
