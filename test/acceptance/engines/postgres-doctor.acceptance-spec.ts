import { describeEngines } from '../../support/engine.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { runPith } from '../../support/processes.js';
import { testFolder } from '../../support/test-folder.js';

interface Finding {
  readonly ok: boolean;
  readonly text: string;
  readonly hint: string | null;
}

describeEngines(['postgres'], 'pith doctor with PITH_GOVERNANCE_DATABASE', () => {
  const folder = testFolder();
  const index = folder.file('index.sqlite');
  let database: TestDatabase;
  let role: string;

  /** The finding about the database of this URL, and the exit code. */
  async function doctor(url: URL): Promise<Finding> {
    // With --docs, an index is not needed.
    const args = ['doctor', '--json', '--docs', folder.path, '--index', index];
    const env = { PITH_GOVERNANCE_DATABASE: url.href, PITH_BACKEND_TIMEOUT_MS: '2000' };
    const { code, stdout, stderr } = await runPith(args, { env });
    expect(stdout + stderr).not.toContain(url.password);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const found = findings.find(({ text }) => text.startsWith('governance database'));
    if (!found) throw new Error(stdout);
    expect(code).toBe(found.ok ? 0 : 1);
    return found;
  }
  const asRole = (): URL => {
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'for-tests'];
    return url;
  };

  beforeAll(async () => {
    database = await testDatabase();
    role = `pith_doctor_${database.url.slice(-8)}`;
    await database.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'for-tests'`);
  });
  afterAll(async () => {
    await database.sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await database.remove();
    folder.remove();
  });

  it('says that the first server creates the tables, and creates none', async () => {
    const text = expect.stringMatching(/: PostgreSQL \d+.*, the first server creates the tables$/);
    expect(await doctor(new URL(database.url))).toEqual({ ok: true, text, hint: null });
    const [found] = await database.sql("SELECT to_regnamespace('pith') AS schema");
    expect(found?.['schema']).toBeNull();
    expect(await doctor(asRole())).toMatchObject({
      ok: false,
      text: expect.stringMatching(/without the rights: CREATE on the database$/),
    });
  });

  it('says which rights the role lacks', async () => {
    const server = connectTo(database.url);
    await server.read(async () => undefined);
    await server.close();
    const all = expect.stringMatching(/, the role has all rights$/);
    expect(await doctor(new URL(database.url))).toMatchObject({ ok: true, text: all });
    expect(await doctor(asRole())).toMatchObject({ ok: false, hint: expect.stringContaining('rights') });
    await database.sql(`GRANT USAGE ON SCHEMA pith TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA pith TO ${role};
      GRANT INSERT, UPDATE, DELETE ON pith.approval, pith.provider_tool TO ${role};
      GRANT INSERT, UPDATE ON pith.ledger_head, pith.tool_definition TO ${role}`);
    const lacks = /without the rights: INSERT on pith.ledger_line, EXECUTE on pith.remove_ledger_lines$/;
    expect(await doctor(asRole())).toMatchObject({ ok: false, text: expect.stringMatching(lacks) });
    await database.sql(`GRANT INSERT ON pith.ledger_line TO ${role};
      GRANT EXECUTE ON FUNCTION pith.remove_ledger_lines TO ${role}`);
    expect(await doctor(asRole())).toMatchObject({ ok: true, text: all });
    await database.sql(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
    expect(await doctor(asRole())).toMatchObject({ ok: false, text: expect.stringMatching(/is read-only$/) });
  });

  it('says what is wrong with a database that can not be used', async () => {
    const stranger = asRole();
    stranger.password = 'another-one';
    expect(await doctor(stranger)).toMatchObject({ ok: false, hint: expect.stringContaining('password') });
    const nowhere = new URL(database.url);
    nowhere.port = '1';
    expect(await doctor(nowhere)).toMatchObject({ ok: false, hint: expect.stringContaining('PostgreSQL') });
  });
});
