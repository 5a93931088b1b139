import { setTimeout as after } from 'node:timers/promises';
import { Ledger } from '../../../src/governance/ledger/ledger.js';
import { PostgresLedgerStore } from '../../../src/governance/ledger/store/postgres-ledger-store.js';
import { aStart, KEYS } from '../../support/a-ledger.js';
import { describeEngines } from '../../support/engine.js';
import { callsOf, type KillReport, KILLS, killWriters } from '../../support/ledger-writers.js';
import { type OwnPostgres, ownPostgres } from '../../support/own-postgres.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { poll } from '../../support/processes.js';

/**
 * A kill may lose batched lines of 100 ms; four processes that write all the time add to that. Two of the slowest appends come
 * on top: a line that comes when an append has begun waits for that append, and then for the next.
 */
const MAX_LOST_MS = 500;

const storeOn = (url: string): PostgresLedgerStore =>
  new PostgresLedgerStore({ connection: connectTo(url), keys: KEYS, name: 'postgres://test/pith' });

describeEngines(
  ['postgres'],
  'kill -9 at 50 random moments while four processes append to PostgreSQL',
  () => {
    let database: TestDatabase;
    let store: PostgresLedgerStore;
    let found: KillReport;

    beforeAll(async () => {
      database = await testDatabase();
      store = storeOn(database.url);
      await store.append([]);
      found = await killWriters(database.url, store);
    }, 400_000);
    afterAll(async () => {
      await store.close();
      await database.remove();
    });

    it('leaves one chain that verifies', () => {
      expect(found.broken).toEqual([]);
    });

    it('loses no event whose durable append had resolved', () => {
      expect(found.durable).toBeGreaterThan(KILLS);
      expect(found.lost).toEqual([]);
    });

    it('loses at most the last moment of batched events', () => {
      expect(found.worstMs).toBeLessThan(MAX_LOST_MS + 2 * found.slowestMs);
    });
  },
);

describeEngines(['postgres'], 'kill -9 of PostgreSQL while two processes append', () => {
  let postgres: OwnPostgres;
  let store: PostgresLedgerStore;
  const ledgers: Ledger[] = [];
  const promised: string[] = [];
  let isOver = false;

  /** Appends until the end. Durable events that were refused may be in the ledger or not. */
  async function append(ledger: Ledger, name: string): Promise<void> {
    for (let i = 0; !isOver; i++) {
      const durable = i % 5 === 0;
      const call_id = `${name}-${i}`;
      const appended = ledger.append([aStart({ run_id: 'restart', call_id })], { durable });
      await appended.then(
        () => promised.push(call_id),
        () => after(20),
      );
      await after(2);
    }
  }

  beforeAll(async () => {
    postgres = await ownPostgres();
    store = storeOn(postgres.url);
    const open = (): Ledger =>
      new Ledger(storeOn(postgres.url), { now: Date.now, onFailure: () => undefined });
    ledgers.push(open(), open());
    await ledgers[0]?.append([], { durable: true });
    const appending = ledgers.map((ledger, i) => append(ledger, `process-${i}`));
    for (let crashes = 0; crashes < 2; crashes++) {
      await after(700);
      await postgres.crash();
      await after(500);
      await postgres.restart();
      await poll('appending', () => store.head().catch(() => undefined), 20_000);
    }
    await after(700);
    isOver = true;
    await Promise.all(appending);
    // The circuit breaker may still be open.
    await poll('writing', () => Promise.all(ledgers.map((l) => l.flush())).catch(() => undefined), 20_000);
  }, 400_000);
  afterAll(async () => {
    for (const ledger of ledgers) await ledger.close();
    await store.close();
    await postgres.remove();
  });

  it('keeps lines and writes them afterwards, each once', async () => {
    const stored = await callsOf(store, 'restart');
    expect(promised.length).toBeGreaterThan(200);
    const different = new Set(stored);
    expect(different.size).toBe(stored.length);
    expect(promised.filter((call) => !different.has(call))).toEqual([]);
  });

  it('leaves one chain that verifies', async () => {
    expect(await store.verify()).toMatchObject({ isIntact: true });
  });
});
