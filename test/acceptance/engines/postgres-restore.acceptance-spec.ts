import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PostgresLedgerStore } from '../../../src/governance/ledger/store/postgres-ledger-store.js';
import { canonicalJson } from '../../../src/text/canonical-json.js';
import { KEYS, startsOf, TIME } from '../../support/a-ledger.js';
import { describeEngines } from '../../support/engine.js';
import { workAt } from '../../support/governance-stores.js';
import { expectWork, keepWork } from '../../support/kept-work.js';
import { connectTo, runPostgres, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { testFolder } from '../../support/test-folder.js';

const DOCS = readFileSync('docs/governance.md', 'utf8');
const entries = startsOf(3).map((event) => ({ time: TIME, event: canonicalJson(event) }));

describeEngines(['postgres'], 'the state of servers in PostgreSQL', () => {
  const folder = testFolder();
  const role = `pith_restored_${randomBytes(6).toString('hex')}`;
  const [, rights = ''] = /```sql\n(CREATE ROLE[^`]*)```/u.exec(DOCS) ?? [];
  const statements = rights.replaceAll('pith_server', role).replace("'…'", "'for-tests'");
  const [createRole = ''] = statements.split('\n');
  let before: TestDatabase;
  let after: TestDatabase;
  beforeAll(async () => {
    [before, after] = [await testDatabase(), await testDatabase()];
  });
  afterAll(async () => {
    for (const { sql, remove } of [before, after]) {
      await sql(`DROP OWNED BY ${role}`);
      await remove();
    }
    const rest = await testDatabase();
    await rest.sql(`DROP ROLE ${role}`);
    await rest.remove();
    folder.remove();
  });

  /** Runs a command of the documentation. */
  const run = (program: 'pg_dump' | 'pg_restore', { url }: TestDatabase): void => {
    const [, line = ''] = new RegExp(`^${program} (.*)$`, 'mu').exec(DOCS) ?? [];
    const args = line
      .split(' ')
      .map((arg) => arg.replace('pith.dump', folder.file('pith.dump')).replace(/'postgres:[^']*'/u, url));
    runPostgres(program, ...args);
  };

  it('is saved and restored with the commands of docs/governance.md, after its roles; then servers go on', async () => {
    const owner = connectTo(before.url);
    await new PostgresLedgerStore({ connection: owner, keys: KEYS, name: 'test' }).append(entries);
    await keepWork(workAt(owner));
    await before.sql(statements);
    run('pg_dump', before);
    await owner.close();

    await before.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    expect(() => run('pg_restore', after)).toThrow(role);
    expect(await after.sql("SELECT FROM pg_namespace WHERE nspname = 'pith'")).toEqual([]);
    await after.sql(createRole);
    run('pg_restore', after);

    const url = new URL(after.url);
    [url.username, url.password] = [role, 'for-tests'];
    const server = connectTo(url.href);
    const ledger = new PostgresLedgerStore({ connection: server, keys: KEYS, name: 'test' });
    await ledger.append(entries);
    expect(await ledger.verify()).toMatchObject({ isIntact: true, lines: 6 });
    await expectWork(workAt(server));
    await server.close();
  });
});
