import { BatchedLedger } from '../../../src/engines/ledger/batched-ledger.js';
import { PostgresLedgerStore } from '../../../src/engines/postgres/ledger/postgres-ledger-store.js';
import { PostgresConnection } from '../../../src/engines/postgres/postgres-connection.js';
import { createTables } from '../../../src/engines/postgres/postgres-schema.js';
import { ledgerContract } from '../../contract/ledger.contract.js';
import { KEYS, TIME } from '../../support/a-ledger.js';
import { describeEngines } from '../../support/engine.js';
import { testDatabase } from '../../support/postgres-database.js';

const storeOn = (url: string, prepare = createTables): PostgresLedgerStore =>
  new PostgresLedgerStore({
    connection: new PostgresConnection({ url, timeoutMs: 5_000, prepare }),
    keys: KEYS,
    name: 'a database for tests',
  });

describeEngines(['postgres'], 'PostgreSQL', () => {
  ledgerContract('a ledger in PostgreSQL', async () => {
    const database = await testDatabase();
    const clock = { at: Date.parse(TIME) };
    const onFailure = (error: unknown): never => {
      throw error;
    };
    return {
      open: () => new BatchedLedger(storeOn(database.url), { now: () => clock.at, onFailure }),
      setTime: (time) => {
        clock.at = Date.parse(time);
      },
      remove: () => database.remove(),
    };
  });
});
