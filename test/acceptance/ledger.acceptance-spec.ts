import { eventText } from '../../src/governance/ledger/event-text.js';
import { LocalLedgerStore } from '../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToRead, openLedgerToWrite } from '../../src/governance/ledger/store/open-ledger-file.js';
import { type Database, openDatabase } from '../../src/sqlite/driver.js';
import { anEnd, aStart, KEYS, startsOf, TIME } from '../support/a-ledger.js';
import { type KillReport, KILLS, killWriters } from '../support/ledger-writers.js';
import { testFolder } from '../support/test-folder.js';

/** What a kill may lose of batched lines: 100 ms, and what four processes that write all the time add to that; beside it, what the slowest append of them waited for. */
const MAX_LOST_MS = 300;

const folder = testFolder();
afterAll(() => folder.remove());

const storeOf = (file: string): LocalLedgerStore =>
  new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToRead });

describe('kill -9 at 50 random moments while four processes append', () => {
  const file = folder.file('killed.ledger.sqlite');
  const store = storeOf(file);
  let found: KillReport;

  beforeAll(async () => {
    found = await killWriters(file, store);
  }, 400_000);
  afterAll(() => store.close());

  it('leaves one chain that verifies', () => {
    expect(found.broken).toEqual([]);
  });

  it('loses no event whose durable append had resolved', () => {
    expect(found.durable).toBeGreaterThan(KILLS);
    expect(found.lost).toEqual([]);
  });

  it('loses at most the last moment of batched events', () => {
    expect(found.worstMs).toBeLessThan(MAX_LOST_MS + found.slowestMs);
  });

  it('lets the next process continue', async () => {
    const ledger = new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToWrite });
    const before = (await ledger.head())?.seq ?? 0;
    await ledger.append([{ time: TIME, event: eventText(aStart()) }], true);
    await ledger.close();
    expect(await store.verify()).toMatchObject({ isIntact: true, head: { seq: before + 1 } });
  });
});

describe('every change of a small ledger', () => {
  const file = folder.file('small.ledger.sqlite');
  const store = storeOf(file);
  const events = [...startsOf(2), anEnd(), aStart({ run_id: null })];
  let database: Database;

  beforeAll(async () => {
    const ledger = new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToWrite });
    await ledger.append(
      events.map((event) => ({ time: TIME, event: eventText(event) })),
      true,
    );
    await ledger.close();
    database = openDatabase(file);
    database.exec('PRAGMA synchronous = OFF');
  });
  afterAll(() => database.close());

  /** Makes a change, verifies, and undoes it. */
  async function isFoundAfter(change: () => void): Promise<boolean> {
    // Only what is committed is seen by another connection.
    database.exec(
      'DROP TABLE IF EXISTS temp.l; CREATE TEMP TABLE l AS SELECT seq, time, event, previous, hash FROM line',
    );
    database.exec('DROP TABLE IF EXISTS temp.h; CREATE TEMP TABLE h AS SELECT * FROM head');
    change();
    const result = await store.verify();
    database.exec(
      'DELETE FROM line; INSERT INTO line (seq, time, event, previous, hash) SELECT * FROM temp.l',
    );
    database.exec('DELETE FROM head; INSERT INTO head SELECT * FROM temp.h');
    return !result.isIntact;
  }

  const textOf = (table: string, column: string, key: number): Buffer =>
    Buffer.from(
      String(
        database.prepare(`SELECT ${column} AS text FROM ${table} WHERE rowid = ?`).get(key)?.['text'] ?? '',
      ),
    );

  /** Flips one bit in each byte of a column. @returns places where that was not found */
  async function unfoundIn(table: string, column: string, key: number): Promise<string[]> {
    const unfound: string[] = [];
    const text = textOf(table, column, key);
    const update = database.prepare(`UPDATE ${table} SET ${column} = CAST(? AS TEXT) WHERE rowid = ?`);
    for (const at of text.keys()) {
      const flipped = Buffer.from(text);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      if (!(await isFoundAfter(() => void update.run(flipped, key))))
        unfound.push(`${table} ${key} ${column} ${at}`);
    }
    return unfound;
  }

  it('is intact before', async () => {
    expect(await store.verify()).toMatchObject({ isIntact: true, lines: 4 });
  });

  it.each([1, 2, 3, 4])(
    'is found in each byte of line %d',
    async (seq) => {
      const columns = ['time', 'event', 'previous', 'hash'];
      const unfound: string[] = [];
      for (const column of columns) unfound.push(...(await unfoundIn('line', column, seq)));
      expect(unfound).toEqual([]);
    },
    120_000,
  );

  it('is found in each byte of the head', async () => {
    const unfound: string[] = [];
    for (const column of ['hash', 'signature', 'key_id'])
      unfound.push(...(await unfoundIn('head', column, 1)));
    expect(unfound).toEqual([]);
  }, 60_000);

  const COPY = 'INSERT INTO line (seq, time, event, previous, hash) SELECT';
  it.each([
    ['the first line is removed', 'DELETE FROM line WHERE seq = 1'],
    ['a line in the middle is removed', 'DELETE FROM line WHERE seq = 2'],
    ['the last line is removed', 'DELETE FROM line WHERE seq = 4'],
    ['all lines are removed', 'DELETE FROM line'],
    ['all lines but the first are removed', 'DELETE FROM line WHERE seq > 1'],
    ['the head is removed', 'DELETE FROM head'],
    ['the head is set back', 'UPDATE head SET seq = 3, hash = (SELECT hash FROM line WHERE seq = 3)'],
    [
      'the last line is removed and the head is set back',
      'DELETE FROM line WHERE seq = 4; UPDATE head SET seq = 3, hash = (SELECT hash FROM line WHERE seq = 3)',
    ],
    [
      'two lines are swapped',
      'UPDATE line SET seq = -seq WHERE seq IN (2, 3); UPDATE line SET seq = 5 + seq WHERE seq < 0',
    ],
    ['all numbers move by one', 'UPDATE line SET seq = -seq; UPDATE line SET seq = 1 - seq'],
    ['a line is added at the end', `${COPY} 5, time, event, hash, hash FROM line WHERE seq = 4`],
    ['a line is added before the first', `${COPY} 0, time, event, previous, hash FROM line WHERE seq = 1`],
    [
      'a line is added with a negative number',
      `${COPY} -5, time, event, previous, hash FROM line WHERE seq = 1`,
    ],
    ['a hash becomes bytes', 'UPDATE line SET hash = CAST(hash AS BLOB) WHERE seq = 2'],
    ['an event is emptied', "UPDATE line SET event = '' WHERE seq = 2"],
    ['an event is no longer JSON', "UPDATE line SET event = event || '}' WHERE seq = 2"],
  ])('is found when %s', async (_, sql) => {
    expect(await isFoundAfter(() => database.exec(sql))).toBe(true);
  });

  it('is undone by these tests', async () => {
    expect(await store.verify()).toMatchObject({ isIntact: true, lines: 4 });
  });
});
