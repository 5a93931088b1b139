import { approvalsIn } from '../support/governance-stores.js';
import { testFolder } from '../support/test-folder.js';
import { approvalStoreContract } from './approval-store.contract.js';

approvalStoreContract('SqliteApprovalStore', async () => {
  const folder = testFolder();
  const clock = { at: 0 };
  const place = { file: folder.file('index.governance.sqlite'), creates: true, now: () => clock.at };
  return {
    open: () => approvalsIn(place),
    setTime: (at) => {
      clock.at = at;
    },
    remove: async () => folder.remove(),
  };
});
