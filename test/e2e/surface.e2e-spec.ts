import { execFileSync } from 'node:child_process';
import { openDatabase } from '../../src/sqlite/driver.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { cleanEnv, PROGRAM } from '../support/mcp-clients.js';

const help = (...command: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...command, '--help'], { env: cleanEnv(), encoding: 'utf8' });

describe('the command line', () => {
  it('has these commands', () => {
    expect(help()).toMatchSnapshot();
  });

  it.each(['index', 'ask', 'stdio', 'http', 'doctor', 'start', 'eval'])(
    'has these options of %s',
    (command) => {
      expect(help(command)).toMatchSnapshot();
    },
  );
});

describe('the index file', () => {
  it('has these tables and this stamp', async () => {
    const folder = testFolder();
    await buildIndex(FIXTURE_CORPUS, folder.file('index.sqlite'));
    const database = openDatabase(folder.file('index.sqlite'), { readOnly: true });
    const tables = database
      .prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
      .all();
    const identity = database.prepare("SELECT value FROM meta WHERE key = 'identity'").get();
    database.close();
    folder.remove();
    expect({ identity: identity?.['value'], tables: tables.map(({ sql }) => sql) }).toMatchSnapshot();
  });
});
