import { Client } from 'pg';
import { BackendUnavailableError } from '../../../src/core/errors.js';
import { PostgresConnection } from '../../../src/engines/postgres/postgres-connection.js';
import type { PostgresRow, RunSql } from '../../../src/engines/postgres/postgres-pool.js';
import { requireTables } from '../../../src/engines/postgres/postgres-tables.js';
import { eventText } from '../../../src/governance/ledger/event-text.js';
import { Ledger } from '../../../src/governance/ledger/ledger.js';
import { ledgerKeys } from '../../../src/governance/ledger/ledger-chain.js';
import { PostgresLedgerStore } from '../../../src/governance/ledger/store/postgres-ledger-store.js';
import { canonicalJson } from '../../../src/text/canonical-json.js';
import { anEnd, aStart, KEYS, startsOf, TIME } from '../../support/a-ledger.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { startFaultProxy } from '../../support/fault-proxy.js';
import { callsOf } from '../../support/ledger-writers.js';
import { aPool, connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';

const DURABLE = { durable: true };
const entries = (count: number) => startsOf(count).map((event) => ({ time: TIME, event: eventText(event) }));
const failure = (reason: string) => expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', reason });

/** Loses the answer to a commit, as a connection does that breaks at this moment. */
class ForgetfulConnection extends PostgresConnection {
  lost = 0;

  override async write<T>(
    begin: string,
    work: (run: RunSql, begun: PostgresRow[]) => Promise<T>,
  ): Promise<T> {
    const result = await super.write(begin, work);
    if (this.lost-- > 0) throw new BackendUnavailableError('lost', { reason: 'postgres', hint: '' });
    return result;
  }
}

describeEngines(['postgres'], 'a ledger in PostgreSQL', () => {
  let database: TestDatabase;
  let store: PostgresLedgerStore;
  const opened: PostgresLedgerStore[] = [];
  const open = (connection = connectTo(database.url), keys = KEYS): PostgresLedgerStore => {
    const one = new PostgresLedgerStore({ connection, keys, name: 'postgres://test/pith' });
    opened.push(one);
    return one;
  };
  /** Changes lines as somebody does who is allowed to change the tables. */
  const tamper = (sql: string) =>
    database.sql(`ALTER TABLE pith.ledger_line DISABLE TRIGGER keep_ledger_lines; ${sql}`);
  const ledgerOn = (one: PostgresLedgerStore, onFailure: (error: unknown) => void = () => undefined) =>
    new Ledger(one, { now: Date.now, onFailure });

  beforeEach(async () => {
    database = await testDatabase();
    store = open();
    await store.append(entries(3));
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await database.remove();
  });

  it.each([
    ['has no head', 'DELETE FROM pith.ledger_head', 'ledger_damaged'],
    ['has another head', 'UPDATE pith.ledger_head SET seq = 2', 'ledger_damaged'],
    [
      'has a line after its head',
      "INSERT INTO pith.ledger_line VALUES (4, '', '{}', '', '')",
      'ledger_damaged',
    ],
    ['is of a later version', 'UPDATE pith.version SET number = 99', 'governance_database_incompatible'],
  ])('is not continued if it %s', async (_, sql, reason) => {
    await database.sql(sql);
    await expect(open().append(entries(1))).rejects.toEqual(failure(reason));
  });

  it.each([
    ['run', "'other'"],
    ['run', 'NULL'],
    ['run', `'"run'`],
    ['run', `run || ',"scope":'`],
    ['outcome', "'success'"],
  ])('does not verify if the computed column %s of a line was changed to %s', async (column, value) => {
    expect(await open().verify()).toMatchObject({ isIntact: true });
    await tamper(`ALTER TABLE pith.ledger_line ALTER COLUMN ${column} DROP EXPRESSION;
      UPDATE pith.ledger_line SET ${column} = ${value} WHERE seq = 2`);
    expect(await open().verify()).toMatchObject({
      isIntact: false,
      damage: 'file',
      message: expect.stringContaining('line 2'),
    });
  });

  it.each(['a"b', 'a\\b', 'é😀', 'x'.repeat(2_000), ''])('verifies a run %j', async (run_id) => {
    const events = [aStart({ run_id }), anEnd({ run_id })];
    await store.append(events.map((event) => ({ time: TIME, event: canonicalJson(event) })));
    expect(await open().verify()).toMatchObject({ isIntact: true, lines: 5 });
  });

  it('is not continued with another secret', async () => {
    const other = open(undefined, ledgerKeys('another secret of at least thirty-two characters'));
    await expect(other.append(entries(1))).rejects.toEqual(failure('ledger_other_secret'));
  });

  it('is not continued if lines were removed that this process has seen', async () => {
    const [head] = await database.sql('SELECT hash, signature FROM pith.ledger_head');
    await store.append(entries(1));
    await tamper(`DELETE FROM pith.ledger_line WHERE seq = 4; UPDATE pith.ledger_head
      SET seq = 3, hash = '${String(head?.['hash'])}', signature = '${String(head?.['signature'])}'`);
    await expect(store.append(entries(1))).rejects.toEqual(failure('ledger_damaged'));
  });

  it.each([
    ['changed', "UPDATE pith.ledger_line SET event = replace(event, 'kb.search', 'kb.sEarch') WHERE seq = 2"],
    ['missing', 'DELETE FROM pith.ledger_line WHERE seq = 2'],
    ['cut', 'DELETE FROM pith.ledger_line WHERE seq = 3'],
    [
      'changed',
      'INSERT INTO pith.ledger_line SELECT 4, time, event, hash, hash FROM pith.ledger_line WHERE seq = 3',
    ],
  ])('is not intact, but %s, after: %s', async (damage, sql) => {
    await tamper(sql);
    expect(await store.verify()).toMatchObject({ isIntact: false, damage });
  });

  it('does not remove lines that do not verify', async () => {
    await tamper("UPDATE pith.ledger_line SET event = '{}' WHERE seq = 2");
    const removal = { before: '2027-01-01T00:00:00.000Z', limit: 10, time: TIME };
    await expect(store.remove(removal)).rejects.toEqual(failure('ledger_damaged'));
    expect(await store.head()).toMatchObject({ seq: 3 });
  });

  it('reports to commands that there are no tables', async () => {
    const empty = await testDatabase();
    const reader = open(connectTo(empty.url, { prepare: requireTables }));
    await expect(reader.head()).rejects.toEqual(failure('ledger_missing'));
    await expect(reader.verify()).rejects.toEqual(failure('ledger_missing'));
    await reader.close();
    await empty.remove();
  });

  it('waits for a process that holds the lock', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(7233042)');
    const waiting = open(connectTo(database.url, { timeoutMs: 1_000 }));
    await expect(waiting.append(entries(1))).rejects.toEqual(failure('ledger_busy'));
    const appended = ledgerOn(waiting).append([aStart()], DURABLE);
    setTimeout(() => void other.end(), 500);
    await appended;
    expect(await store.head()).toMatchObject({ seq: 4 });
  });

  it('has each line once if the answers to two commits are lost', async () => {
    const connection = new ForgetfulConnection(aPool(database.url));
    const failures: unknown[] = [];
    const ledger = ledgerOn(open(connection), (error) => failures.push(error));
    connection.lost = 2;
    await ledger.append(startsOf(2, { run_id: 'lost' }), { durable: false });
    await expect(ledger.flush()).rejects.toEqual(failure('postgres'));
    await ledger.append([aStart({ run_id: 'lost', call_id: 'call-3' })], { durable: false });
    await expect(ledger.flush()).rejects.toEqual(failure('postgres'));
    await ledger.append([aStart({ run_id: 'lost', call_id: 'call-4' })], DURABLE);
    expect(await callsOf(store, 'lost')).toEqual(['call-1', 'call-2', 'call-3', 'call-4']);
    expect(await store.verify()).toMatchObject({ isIntact: true, lines: 7 });
    expect(failures).toHaveLength(1);
  });

  it('keeps lines while PostgreSQL is down, refuses durable ones, and names no password', async () => {
    const real = new URL(engineUrl('postgres') ?? '');
    const proxy = await startFaultProxy({ host: real.hostname, port: Number(real.port) });
    const url = new URL(database.url);
    url.host = `${proxy.host}:${proxy.port}`;
    const ledger = ledgerOn(open(connectTo(url.href, { timeoutMs: 1_000 })));
    await ledger.append([], DURABLE);
    await proxy.set({ mode: 'down' });
    await ledger.append(startsOf(2, { run_id: 'kept' }), { durable: false });
    const refused = await ledger.append([aStart()], DURABLE).catch((error: unknown) => error);
    expect(refused).toEqual(failure('postgres'));
    expect(JSON.stringify(refused) + String(refused)).not.toContain(url.password);
    await proxy.set({ mode: 'half-open' });
    await expect(ledger.append([aStart()], DURABLE)).rejects.toMatchObject({ reason: 'postgres' });
    await proxy.set({ mode: 'pass' });
    await ledger.flush();
    expect(await callsOf(store, 'kept')).toEqual(['call-1', 'call-2']);
    await ledger.close();
    await proxy.stop();
  });

  it.each([
    "UPDATE pith.ledger_line SET event = '{}' WHERE seq = 2",
    'UPDATE pith.ledger_line SET hash = hash WHERE false',
    'DELETE FROM pith.ledger_line WHERE seq = 3',
    'DELETE FROM pith.ledger_line',
    'TRUNCATE pith.ledger_line',
    'TRUNCATE pith.ledger_head, pith.ledger_line',
    "INSERT INTO pith.ledger_line VALUES (3, '', '', '', '') ON CONFLICT (seq) DO UPDATE SET event = '{}'",
  ])('refuses this also to the owner of the tables: %s', async (sql) => {
    await expect(database.sql(sql)).rejects.toMatchObject({ code: '42501' });
    expect(await store.verify()).toMatchObject({ isIntact: true, lines: 3 });
    await store.append(entries(1));
  });

  it('lets retention remove lines, and only lines that a checkpoint accounts for', async () => {
    const removal = { before: '2027-01-01T00:00:00.000Z', limit: 2, time: '2027-01-01T00:00:00.000Z' };
    expect(await store.remove(removal)).toBe(2);
    await database.sql('SELECT pith.remove_ledger_lines(3)');
    expect(await store.verify()).toMatchObject({ isIntact: true, first: 3, lines: 2 });
    await expect(database.sql('DELETE FROM pith.ledger_line')).rejects.toMatchObject({ code: '42501' });
  });

  it('needs no right to change or delete lines', async () => {
    const [name, password] = [`pith_server_${database.url.slice(-8)}`, 'for-tests'];
    await database.sql(`CREATE ROLE ${name} LOGIN PASSWORD '${password}';
      GRANT USAGE ON SCHEMA pith TO ${name};
      GRANT SELECT ON pith.version TO ${name};
      GRANT SELECT, INSERT ON pith.ledger_line TO ${name};
      GRANT SELECT, INSERT, UPDATE ON pith.ledger_head TO ${name};
      GRANT EXECUTE ON FUNCTION pith.remove_ledger_lines TO ${name};
      GRANT SELECT, INSERT, UPDATE, DELETE ON pith.approval, pith.provider_tool TO ${name}`);
    const url = new URL(database.url);
    [url.username, url.password] = [name, password];
    const connection = connectTo(url.href);
    const server = open(connection);
    await server.append(entries(2));
    const removal = { before: '2027-01-01T00:00:00.000Z', limit: 3, time: '2027-01-01T00:00:00.000Z' };
    expect(await server.remove(removal)).toBe(3);
    expect(await server.verify()).toMatchObject({ isIntact: true, first: 4 });
    for (const sql of [
      "UPDATE pith.ledger_line SET event = ''",
      'DELETE FROM pith.ledger_line',
      'TRUNCATE pith.ledger_line',
    ])
      await expect(connection.write('BEGIN', (run) => run(sql))).rejects.toEqual(failure('postgres'));
    await connection.write('BEGIN', (run) => run('SELECT pith.remove_ledger_lines(5)'));
    expect(await server.verify()).toMatchObject({ isIntact: true, first: 4 });
    await server.close();
    await database.sql(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  });
});
