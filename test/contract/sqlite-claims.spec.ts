import { SqliteClaimStore } from '../../src/engines/sqlite/domains/sqlite-claim-store.js';
import { testFolder } from '../support/test-folder.js';
import { claimStoreContract } from './claim-store.contract.js';

claimStoreContract('SqliteClaimStore', () => {
  const folder = testFolder();
  return {
    open: () =>
      new SqliteClaimStore({
        ...{ file: folder.file('index.work.sqlite'), creates: true },
        ...{ maxBytes: 1e9, now: () => 1 },
      }),
    dispose: () => folder.remove(),
  };
});
