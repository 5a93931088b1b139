import { Ledger } from '../../src/governance/ledger/ledger.js';
import { ledgerThread } from '../../src/governance/ledger/store/ledger-thread.js';
import { ledgerContract } from '../contract/ledger.contract.js';
import { KEYS, TIME } from '../support/a-ledger.js';
import { testFolder } from '../support/test-folder.js';

ledgerContract('Ledger on its thread', async () => {
  const folder = testFolder();
  const clock = { at: Date.parse(TIME) };
  const onFailure = (error: unknown): never => {
    throw error;
  };
  return {
    open: () => {
      const thread = ledgerThread(folder.file('ledger.sqlite'), KEYS);
      return new Ledger(thread, { now: () => clock.at, onFailure });
    },
    setTime: (time) => {
      clock.at = Date.parse(time);
    },
    remove: async () => folder.remove(),
  };
});

describe('ledgerThread', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  it('returns failures with their code and reason', async () => {
    const thread = ledgerThread('/dev/null/ledger.sqlite', KEYS);
    await expect(thread.append([], true)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'ledger_not_writable',
    });
    await thread.close();
  });

  it('starts again after it was closed', async () => {
    const thread = ledgerThread(folder.file('again.sqlite'), KEYS);
    await thread.append([{ time: TIME, event: '{}' }], true);
    await thread.close();
    expect(await thread.head()).toMatchObject({ seq: 1 });
    await thread.close();
  });
});
