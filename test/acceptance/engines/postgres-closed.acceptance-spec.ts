import { buildIndex, FIXTURE_CORPUS, testFolder } from '../../support/build-index.js';
import { runAndClose, STDOUT_AND_STDERR } from '../../support/closed-server.js';
import { describeEngines } from '../../support/engine.js';
import { testDatabase } from '../../support/postgres-database.js';
import { poll } from '../../support/processes.js';

const CONNECTIONS = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'pith'`;
const TABLES_EXIST = "SELECT to_regclass('pith.provider_tool') IS NOT NULL AS found";

describeEngines(['postgres'], 'a server that is closed', () => {
  it('has closed its connections to PostgreSQL, and nothing keeps its process alive', async () => {
    const folder = testFolder();
    const database = await testDatabase();
    const index = folder.file('index.sqlite');
    await buildIndex(FIXTURE_CORPUS, index);
    const env = { PITH_GOVERNANCE_DATABASE: database.url, PITH_SECRET: 's'.repeat(32) };
    const ended = await runAndClose({ folder: folder.path, index, env }, async () => {
      await poll('noted tools', async () => {
        const [tables] = await database.sql(TABLES_EXIST);
        if (tables?.['found'] !== true) return undefined;
        const [tools] = await database.sql('SELECT count(*)::int AS n FROM pith.provider_tool');
        return Number(tools?.['n']) > 0 || undefined;
      });
      const [open] = await database.sql(CONNECTIONS);
      expect(open?.['n']).toBeGreaterThan(0);
    });
    expect(ended).toMatchObject({ code: 0, left: STDOUT_AND_STDERR });
    await database.remove();
    folder.remove();
  });
});
