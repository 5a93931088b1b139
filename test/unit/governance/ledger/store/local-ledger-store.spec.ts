import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { eventText } from '../../../../../src/governance/ledger/event-text.js';
import { ledgerKeys } from '../../../../../src/governance/ledger/ledger-chain.js';
import { LocalLedgerStore } from '../../../../../src/governance/ledger/store/local-ledger-store.js';
import {
  openLedgerToRead,
  openLedgerToWrite,
} from '../../../../../src/governance/ledger/store/open-ledger-file.js';
import { type Database, openDatabase } from '../../../../../src/sqlite/driver.js';
import { KEYS, startsOf, TIME } from '../../../../support/a-ledger.js';
import { type TestFolder, testFolder } from '../../../../support/test-folder.js';

let folder: TestFolder;
let file: string;
let ledger: LocalLedgerStore;

const open = (keys = KEYS): LocalLedgerStore => new LocalLedgerStore({ file, keys, open: openLedgerToWrite });
const entries = (count: number) => startsOf(count).map((event) => ({ time: TIME, event: eventText(event) }));

/** Changes the file as somebody else would. */
function tamper(work: (database: Database) => void): void {
  const database = openDatabase(file);
  work(database);
  database.close();
}

const failure = (reason: string) => expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', reason });
const append = () => ledger.append(entries(1), true);

beforeEach(async () => {
  folder = testFolder();
  file = folder.file('pith.ledger.sqlite');
  ledger = open();
  await ledger.append(entries(3), true);
});
afterEach(async () => {
  await ledger.close();
  folder.remove();
});

describe('LocalLedgerStore', () => {
  it('creates files that only their owner can read', () => {
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(`${file}${suffix}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it('continues the chain after a restart', async () => {
    await ledger.close();
    await append();
    expect(await ledger.head()).toMatchObject({ seq: 4 });
    const store = new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToWrite });
    expect(await store.verify()).toMatchObject({ isIntact: true, lines: 4 });
  });

  it('finds that the index by run was changed', async () => {
    tamper((database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    const bytes = readFileSync(file);
    // In lines, the run follows its name; in the index, it stands alone.
    const at = bytes.toString('latin1').search(/(?<!"run_id":)"run-1"/);
    expect(at).toBeGreaterThan(0);
    bytes.write('"run-2"', at, 'latin1');
    writeFileSync(file, bytes);
    const store = new LocalLedgerStore({ file, keys: KEYS, open: openLedgerToRead, checksFile: true });
    expect(await store.verify()).toMatchObject({ isIntact: false, damage: 'file' });
  });

  it('starts no new ledger when the file was moved away, until the process starts anew', async () => {
    renameSync(file, folder.file('old.sqlite'));
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
    expect(existsSync(file)).toBe(false);
    const restarted = open();
    await restarted.append(entries(1), true);
    expect(await restarted.head()).toMatchObject({ seq: 1 });
    await restarted.close();
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
  });

  it('does not append to an empty file in its place', async () => {
    renameSync(file, folder.file('old.sqlite'));
    writeFileSync(file, '');
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
  });

  it('does not append to a ledger of another secret', async () => {
    const other = open(ledgerKeys('another secret of at least thirty-two characters'));
    await expect(other.append(entries(1), true)).rejects.toEqual(failure('ledger_other_secret'));
    await other.close();
  });

  it.each([
    ['has no head', 'DELETE FROM head'],
    ['has another head', 'UPDATE head SET seq = 2'],
    [
      'has a line after its head',
      "INSERT INTO line (seq, time, event, previous, hash) VALUES (4, '', '{}', '', '')",
    ],
  ])('does not append to a ledger that %s', async (_, sql) => {
    tamper((database) => database.exec(sql));
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
    await ledger.close();
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
  });

  it('finds that the file went back to an earlier state while it is open', async () => {
    const readHead = (database: Database) => database.prepare('SELECT seq, hash, signature FROM head').get();
    let early: ReturnType<typeof readHead>;
    tamper((database) => (early = readHead(database)));
    await append();
    tamper((database) => {
      database.exec('DELETE FROM line WHERE seq = 4');
      database
        .prepare('UPDATE head SET seq = ?, hash = ?, signature = ?')
        .run(Number(early?.['seq']), String(early?.['hash']), String(early?.['signature']));
    });
    await expect(append()).rejects.toEqual(failure('ledger_damaged'));
  });

  it('does not remove lines that do not verify', async () => {
    tamper((database) => database.exec("UPDATE line SET event = '{}' WHERE seq = 2"));
    const removal = { before: '2027-01-01T00:00:00.000Z', limit: 10, time: TIME };
    await expect(ledger.remove(removal)).rejects.toEqual(failure('ledger_damaged'));
    expect(await ledger.head()).toMatchObject({ seq: 3 });
  });

  it('fails while another program locks the file, and appends afterwards', async () => {
    const other = openDatabase(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(append()).rejects.toEqual(failure('ledger_busy'));
    other.exec('ROLLBACK');
    other.close();
    await append();
    expect(await ledger.head()).toMatchObject({ seq: 4 });
  });

  it('keeps all lines and no part of a batch when the file can grow no further', async () => {
    const limited = new LocalLedgerStore({
      file,
      keys: KEYS,
      open: (path) => {
        const database = openLedgerToWrite(path);
        database.exec('PRAGMA max_page_count = 20');
        return database;
      },
    });
    await expect(limited.append(entries(500), true)).rejects.toEqual(failure('ledger_not_writable'));
    await limited.append(entries(1), true);
    expect(await limited.head()).toMatchObject({ seq: 4 });
    await limited.close();
  });

  it.each<[string, string, string]>([
    ['a database of another program', 'CREATE TABLE invoice (id INTEGER)', 'ledger_incompatible'],
    [
      'a ledger of a later version',
      'PRAGMA application_id = 1349088364; PRAGMA user_version = 2',
      'ledger_incompatible',
    ],
  ])('refuses %s', async (_, sql, reason) => {
    await ledger.close();
    file = folder.file('other.sqlite');
    tamper((database) => database.exec(sql));
    const other = open();
    await expect(other.append(entries(1), true)).rejects.toEqual(failure(reason));
    await expect(other.head()).rejects.toEqual(failure(reason));
  });

  it('refuses a file that is no database', async () => {
    file = folder.file('other.sqlite');
    writeFileSync(file, 'x'.repeat(5_000));
    const other = open();
    await expect(other.append(entries(1), true)).rejects.toEqual(failure('ledger_damaged'));
  });

  it('says that a file for reading is missing', async () => {
    const reader = new LocalLedgerStore({
      file: folder.file('none.sqlite'),
      keys: KEYS,
      open: openLedgerToRead,
    });
    await expect(reader.head()).rejects.toEqual(failure('ledger_missing'));
    expect(existsSync(folder.file('none.sqlite'))).toBe(false);
  });
});
