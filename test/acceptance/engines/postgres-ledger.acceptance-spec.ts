import { Ledger } from '../../../src/governance/ledger/ledger.js';
import { PostgresLedgerStore } from '../../../src/governance/ledger/store/postgres-ledger-store.js';
import { ledgerContract } from '../../contract/ledger.contract.js';
import { KEYS, TIME } from '../../support/a-ledger.js';
import { describeEngines } from '../../support/engine.js';
import { connectTo, testDatabase } from '../../support/postgres-database.js';

const storeOn = (url: string, keys = KEYS): PostgresLedgerStore =>
  new PostgresLedgerStore({
    connection: connectTo(url, { timeoutMs: 20_000 }),
    keys,
    name: 'a database for tests',
  });

describeEngines(['postgres'], 'PostgreSQL', () => {
  ledgerContract('a ledger in PostgreSQL', async () => {
    const database = await testDatabase();
    // A server creates the tables when it starts.
    const first = storeOn(database.url);
    await first.append([]);
    await first.close();
    const clock = { at: Date.parse(TIME) };
    const onFailure = (error: unknown): never => {
      throw error;
    };
    return {
      open: () => new Ledger(storeOn(database.url), { now: () => clock.at, onFailure }),
      setTime: (time) => {
        clock.at = Date.parse(time);
      },
      remove: () => database.remove(),
    };
  });
});
