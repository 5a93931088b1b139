import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../../src/config/config.js';
import { openPostgres } from '../../../src/engines/postgres/open-postgres.js';
import type { PostgresConnection } from '../../../src/engines/postgres/postgres-connection.js';
import { PostgresIndexFiles } from '../../../src/engines/postgres/postgres-index-files.js';
import { requireTables } from '../../../src/engines/postgres/postgres-tables.js';
import { ApprovalStore } from '../../../src/governance/approvals/approval-store.js';
import { PostgresLedgerStore } from '../../../src/governance/ledger/store/postgres-ledger-store.js';
import { ProviderPins } from '../../../src/governance/providers/provider-pins.js';
import { DefinitionStore } from '../../../src/governance/registry/definition-store.js';
import { canonicalJson } from '../../../src/text/canonical-json.js';
import { KEYS, startsOf, TIME } from '../../support/a-ledger.js';
import { aRequest } from '../../support/an-approval.js';
import { describeEngines } from '../../support/engine.js';
import { governanceAt, workAt } from '../../support/governance-stores.js';
import { expectWork } from '../../support/kept-work.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';

const tablesOf = (version: 1 | 5): string =>
  readFileSync(join(__dirname, '..', '..', 'support', `postgres-version-${version}.sql`), 'utf8');
const COLUMNS = `SELECT table_name, column_name, data_type, collation_name, is_nullable, generation_expression
  FROM information_schema.columns WHERE table_schema = 'pith' ORDER BY table_name, ordinal_position`;

const entries = startsOf(3).map((event) => ({ time: TIME, event: canonicalJson(event) }));
const definition = { name: 'kb.search', version: '1', schemaHash: 'a', provider: 'pith', facts: '{}' };
const unavailable = (reason: string) => expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', reason });

describeEngines(['postgres'], 'a governance database of an older version', () => {
  let database: TestDatabase;
  const closing: (() => Promise<void>)[] = [];
  const connect = (options?: Parameters<typeof connectTo>[1], url = database.url) => {
    const connection = connectTo(url, options);
    closing.push(() => connection.close());
    return connection;
  };
  const versionOf = async (): Promise<unknown> =>
    (await database.sql('SELECT number FROM pith.version'))[0]?.['number'];

  beforeEach(async () => {
    database = await testDatabase();
    await database.sql(tablesOf(1));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await database.remove();
  });

  it('is migrated by a server, and keeps lines and approvals', async () => {
    const before = connect({ prepare: async () => undefined });
    await new PostgresLedgerStore({ connection: before, keys: KEYS, name: 'test' }).append(entries);
    await new ApprovalStore(governanceAt(before), () => 0).request(aRequest());
    expect(await new DefinitionStore(governanceAt(connect())).note([definition], 1)).toEqual([]);
    expect(await versionOf()).toBe(5);
    const ledger = new PostgresLedgerStore({ connection: connect(), keys: KEYS, name: 'test' });
    await ledger.append(entries);
    expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 6 });
    const approvals = new ApprovalStore(governanceAt(connect()), () => 0);
    expect(await approvals.list({ limit: 10 })).toMatchObject([{ id: aRequest().id, state: 'pending' }]);
  });

  it('is migrated under a server that goes on, also with stores that it did not need before', async () => {
    const config = parseConfig({ PITH_DATABASE: database.url });
    const store = () => {
      const connection = openPostgres(config, 'server', 'database');
      closing.push(() => connection.close());
      return connection;
    };
    await store().read(async () => undefined);
    await database.sql('UPDATE pith.version SET number = 6');
    expect(await new ApprovalStore(governanceAt(store()), () => 0).list({ limit: 10 })).toEqual([]);
    await store().snapshot((run) => run('SELECT * FROM pith.ledger_line'));
    await store().alone('BEGIN', (run) => run('SELECT * FROM pith.index_file'));
    const next = connect();
    await expect(next.read(async () => undefined)).rejects.toEqual(
      unavailable('governance_database_incompatible'),
    );
    // The same process, started again.
    for (const close of closing.splice(0)) await close();
    await expect(store().read(async () => undefined)).rejects.toEqual(
      unavailable('governance_database_incompatible'),
    );
  });

  it('gets twenty connections from a server, whatever its stores do', async () => {
    const config = parseConfig({ PITH_DATABASE: database.url });
    const stores = Array.from({ length: 8 }, () => openPostgres(config, 'server', 'database'));
    closing.push(...stores.map((store) => () => store.close()));
    const wait = (store: PostgresConnection) => store.read((run) => run('SELECT pg_sleep(0.5)'));
    await Promise.all(stores.flatMap((store) => Array.from({ length: 16 }, () => wait(store))));
    // Idle ones stay open for some seconds.
    expect(
      await database.sql(`SELECT count(*) FROM pg_stat_activity
        WHERE application_name = 'pith' AND datname = current_database()`),
    ).toEqual([{ count: '20' }]);
  });

  it('leaves connections to other stores if one store is busy', async () => {
    const config = parseConfig({ PITH_DATABASE: database.url });
    const [busy, other] = [openPostgres(config, 'server'), openPostgres(config, 'server')];
    closing.push(
      () => busy.close(),
      () => other.close(),
    );
    await busy.read(async () => undefined);
    const running = Array.from({ length: 24 }, () => busy.read((run) => run('SELECT pg_sleep(0.5)')));
    const began = performance.now();
    await other.read((run) => run('SELECT 1'));
    expect(performance.now() - began).toBeLessThan(400);
    await Promise.all(running);
  });

  it('has the same columns as a new one', async () => {
    await connect().read(async () => undefined);
    const other = await testDatabase();
    await connect({}, other.url).read(async () => undefined);
    expect(await database.sql(COLUMNS)).toEqual(await other.sql(COLUMNS));
    for (const close of closing.splice(0)) await close();
    await other.remove();
  });

  it('is migrated once if several servers start at the same time', async () => {
    const servers = [connect(), connect(), connect(), connect()];
    await Promise.all(servers.map((each) => each.read((run) => run('SELECT * FROM pith.tool_definition'))));
    expect(await database.sql('SELECT number FROM pith.version')).toEqual([{ number: 5 }]);
  });

  it('stays as it was if a step fails', async () => {
    await database.sql('CREATE TABLE pith.tool_definition (other integer)');
    await expect(connect().read(async () => undefined)).rejects.toEqual(unavailable('postgres'));
    expect(await versionOf()).toBe(1);
  });

  it('is not migrated by commands, which say what to do', async () => {
    const command = connect({ prepare: requireTables });
    await expect(command.read(async () => undefined)).rejects.toEqual(
      unavailable('governance_database_outdated'),
    );
    expect(await versionOf()).toBe(1);
  });

  it('says what to do if the server is not the owner', async () => {
    const name = `pith_guest_${database.url.slice(-8)}`;
    await database.sql(`CREATE ROLE ${name} LOGIN PASSWORD 'for-tests';
      GRANT USAGE ON SCHEMA pith TO ${name}; GRANT SELECT ON pith.version TO ${name}`);
    const url = new URL(database.url);
    [url.username, url.password] = [name, 'for-tests'];
    await expect(connect({}, url.href).read(async () => undefined)).rejects.toEqual(
      unavailable('governance_database_outdated'),
    );
    expect(await versionOf()).toBe(1);
    await database.sql(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
  });

  it.each(['6', '0', '-1'])('is refused with the unknown version %s', async (version) => {
    await database.sql(`UPDATE pith.version SET number = ${version}`);
    await expect(connect().read(async () => undefined)).rejects.toEqual(
      unavailable('governance_database_incompatible'),
    );
    expect(await versionOf()).toBe(Number(version));
  });
});

describeEngines(['postgres'], 'a database of version 5', () => {
  it('keeps what is in each of its tables', async () => {
    const database = await testDatabase();
    await database.sql(tablesOf(5));
    const connection = connectTo(database.url);
    const ledger = new PostgresLedgerStore({ connection, keys: KEYS, name: 'test' });
    await ledger.append(entries);
    expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 6 });
    expect(await new ApprovalStore(governanceAt(connection), () => 0).list({ limit: 10 })).toMatchObject([
      { id: aRequest().id, state: 'pending' },
    ]);
    expect(await new ProviderPins(governanceAt(connection)).pins('files')).toMatchObject([
      { tool: 'read', accepted: { definition: '{"name":"read"}' } },
    ]);
    expect(await new DefinitionStore(governanceAt(connection)).history('kb.search')).toMatchObject([
      { schemaHash: 'a' },
    ]);
    await expectWork(workAt(connection));
    const index = { projectId: 'docs', environment: 'prod', name: 'index 1.1' };
    expect(await new PostgresIndexFiles(connection).version(index)).toMatchObject({ version: 1, size: 21 });
    const sizes =
      await database.sql(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'pith'
      AND (xpath('/row/n/text()', query_to_xml('SELECT count(*) AS n FROM pith.' || table_name, true, true, '')))[1]::text = '0'`);
    // Of uploads that are not complete.
    expect(sizes).toEqual([{ table_name: 'substrate_upload' }]);
    await connection.close();
    await database.remove();
  });
});
