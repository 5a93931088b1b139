import { Ledger } from '../../src/governance/ledger/ledger.js';
import { LocalLedgerStore } from '../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToWrite } from '../../src/governance/ledger/store/open-ledger-file.js';
import { KEYS, TIME } from '../support/a-ledger.js';
import { testFolder } from '../support/test-folder.js';
import { ledgerContract } from './ledger.contract.js';

ledgerContract('Ledger', async () => {
  const folder = testFolder();
  const clock = { at: Date.parse(TIME) };
  const place = { file: folder.file('ledger.sqlite'), keys: KEYS, open: openLedgerToWrite };
  const onFailure = (error: unknown): never => {
    throw error;
  };
  return {
    open: () => new Ledger(new LocalLedgerStore(place), { now: () => clock.at, onFailure }),
    setTime: (time) => {
      clock.at = Date.parse(time);
    },
    remove: async () => folder.remove(),
  };
});
