import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresIndexFiles } from '../../../src/engines/postgres/postgres-index-files.js';
import { SharedIndex } from '../../../src/engines/shared-index.js';
import { openForWriting } from '../../../src/sqlite/open-database.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../../support/build-index.js';
import { outcomeOf } from '../../support/call-results.js';
import { describeEngines } from '../../support/engine.js';
import { startHttpProcess } from '../../support/mcp-clients.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { poll, runPith, startPith } from '../../support/processes.js';
import { suiteClients } from '../../support/suite-clients.js';
import { writeFiles } from '../../support/write-files.js';

const SLOW_MS = 60_000;
const OWNER = { projectId: 'harbour', environment: 'dev', name: 'index 1.1.1' };
const NOTE = { table: 'thoughts', text: 'Tugs sleep.', origin: 'human' };
const ignore = (): void => undefined;

describeEngines(['postgres'], 'an index that PostgreSQL stores for all servers', () => {
  const folder = testFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  const open = suiteClients(() => ({ index: folder.file('none.sqlite') }));
  beforeAll(async () => {
    database = await testDatabase();
    await new PostgresIndexFiles(connectTo(database.url)).version(OWNER);
    env = {
      PITH_DATABASE: database.url,
      PITH_INDEX_STORE: 'database',
      PITH_PROJECT: OWNER.projectId,
      PITH_BACKEND_TIMEOUT_MS: '30000',
    };
    writeFiles(folder.path, {
      'docs/cranes.md': '# Cranes\n\nThe crane lifts ninety tons.\n',
      'docs/berths.md': '# Berths\n\nThe harbour has nine berths.\n',
    });
  });
  afterAll(async () => {
    await database.remove();
    folder.remove();
  });

  const pith = (...args: string[]) => runPith(args, { env, maxMs: SLOW_MS });
  const index = (at: string, more: readonly string[] = []) =>
    pith('index', folder.file('docs'), '--index', folder.file(at), ...more);

  it('is there for a server without a file, and follows each run', async () => {
    expect((await index('job/index.sqlite')).code).toBe(0);
    const server = await startHttpProcess(folder.file('server/index.sqlite'), env);
    try {
      const client = await open('v2', 'http', { url: server.url });
      const ask = async (query: string): Promise<string> => {
        const result = await client.call('kb_retrieve_evidence', { question: query });
        return outcomeOf(result) === 'ok' ? JSON.stringify(result.structuredContent) : '';
      };
      const answers = (query: string, words: string) =>
        poll(`an answer with ${words}`, async () => (await ask(query)).includes(words) || undefined, SLOW_MS);
      await answers('How much does the crane lift?', 'ninety tons');
      appendFileSync(folder.file('docs/berths.md'), 'Berth four is for tugs.\n');
      // A job without a disk begins with the stored index.
      expect((await index('another/index.sqlite')).stdout).toContain('1 parsed, 1 unchanged');
      await answers('What is berth four for?', 'for tugs');
    } finally {
      await server.stop();
    }
  }, 180_000);

  it('gets no new version from a run that changes nothing, on any machine', async () => {
    const page = (at: number) => [`calm/${at}.md`, `# Page ${at}\n\n${'Words of the page. '.repeat(3)}\n`];
    writeFiles(folder.path, Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => page(at))));
    const run = (at: string) =>
      runPith(['index', folder.file('calm'), '--index', folder.file(at)], {
        env: { ...env, PITH_PROJECT: 'calm' },
        maxMs: SLOW_MS,
      });
    for (const at of ['one/calm.sqlite', 'one/calm.sqlite', 'two/calm.sqlite', 'two/calm.sqlite'])
      expect((await run(at)).code).toBe(0);
    const [file] = await database.sql("SELECT version FROM pith.index_file WHERE project = 'calm'");
    expect(file).toEqual({ version: '1' });
  }, 120_000);

  it('is refused where nothing names it', async () => {
    const without = async (name: string) => (await runPith(['http'], { env: { ...env, [name]: '' } })).stderr;
    expect(await without('PITH_DATABASE')).toContain('needs PITH_DATABASE');
    expect(await without('PITH_PROJECT')).toContain('needs PITH_PROJECT');
  }, 60_000);

  it('includes memory', async () => {
    writeFileSync(folder.file('notes.jsonl'), `${JSON.stringify(NOTE)}\n`);
    const file = folder.file('memory/index.sqlite');
    const imported = await pith('memory', 'import', folder.file('notes.jsonl'), '--index', file);
    expect(imported.code).toBe(0);
    const elsewhere = folder.file('elsewhere/index.sqlite');
    await index('elsewhere/index.sqlite');
    expect((await pith('memory', 'status', '--index', elsewhere)).stdout).toContain('1 row');
  }, 120_000);

  describe('as files', () => {
    const shared = (at: string): SharedIndex => {
      const one = new SharedIndex(folder.file(at), OWNER, new PostgresIndexFiles(connectTo(database.url)));
      opened.push(one);
      return one;
    };
    const opened: SharedIndex[] = [];
    const build = (at: string) => buildIndex(FIXTURE_CORPUS, folder.file(at));
    const rows = async (where: string): Promise<number> =>
      Number((await database.sql(`SELECT count(*) AS n FROM pith.index_block WHERE ${where}`))[0]?.['n']);
    beforeEach(async () => {
      await database.sql('TRUNCATE pith.index_file, pith.index_block');
    });
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });

    it('send only the blocks that a run has changed', async () => {
      await build('a/index.sqlite');
      const one = shared('a/index.sqlite');
      await one.store(ignore);
      const all = await rows('true');
      await one.change(async () => {
        await alter(folder.file('a/index.sqlite'));
      });
      expect(all).toBeGreaterThan(20);
      expect(await rows('version = 2')).toBeLessThan(10);
      expect(await rows('version = 2')).toBeGreaterThan(0);
      expect(await rows('true')).toBeLessThanOrEqual(all + 5);
      const other = shared('b/index.sqlite');
      expect(await other.fetch()).toMatchObject({ version: 2 });
      expect(await other.fetch()).toBeNull();
    }, 60_000);

    it('refuse a run that began with an older one, and keep the stored one', async () => {
      await build('c/index.sqlite');
      await shared('c/index.sqlite').store(ignore);
      await shared('d/index.sqlite').fetch();
      await shared('d/index.sqlite').change(async () => alter(folder.file('d/index.sqlite')));
      await expect(shared('c/index.sqlite').store(ignore)).rejects.toMatchObject({ reason: 'index_busy' });
      expect(await shared('c/index.sqlite').fetch()).toMatchObject({ version: 2 });
      await expect(shared('c/index.sqlite').store(ignore)).resolves.toBeUndefined();
    }, 60_000);

    it('replace a file that was damaged or written by others, and never one that was not made from them', async () => {
      await build('e/index.sqlite');
      await shared('e/index.sqlite').store(ignore);
      await shared('f/index.sqlite').fetch();
      writeFileSync(folder.file('f/index.sqlite'), 'no index');
      await shared('e/index.sqlite').change(async () => alter(folder.file('e/index.sqlite')));
      expect(await shared('f/index.sqlite').fetch()).toMatchObject({ version: 2 });
      await build('g/index.sqlite');
      await expect(shared('g/index.sqlite').fetch()).rejects.toMatchObject({ reason: 'index_incompatible' });
      await expect(shared('g/index.sqlite').change(async () => 1)).rejects.toThrow('was not made from');
    }, 60_000);

    it('are the stored ones again after the database has lost them', async () => {
      await build('h/index.sqlite');
      await shared('h/index.sqlite').store(ignore);
      await shared('i/index.sqlite').fetch();
      await database.sql('TRUNCATE pith.index_file, pith.index_block');
      expect(await shared('i/index.sqlite').fetch()).toBeNull();
      await shared('h/index.sqlite').store(ignore);
      expect(await rows('version = 1')).toBeGreaterThan(20);
    }, 60_000);

    it('are not those of another project', async () => {
      await build('o/index.sqlite');
      const other = { ...OWNER, projectId: 'another' };
      const one = new SharedIndex(
        folder.file('o/index.sqlite'),
        other,
        new PostgresIndexFiles(connectTo(database.url)),
      );
      opened.push(one);
      await expect(one.change(async () => 1)).rejects.toMatchObject({ reason: 'project_mismatch' });
      expect(await rows('true')).toBe(0);
    }, 60_000);

    it('of another version of Pith are where a run begins, so that their memory is kept', async () => {
      await build('p/index.sqlite');
      const named = (name: string, at: string): SharedIndex => {
        const files = new PostgresIndexFiles(connectTo(database.url));
        const one = new SharedIndex(folder.file(at), { ...OWNER, name }, files);
        opened.push(one);
        return one;
      };
      await named('index 9.9.9', 'p/index.sqlite').store(ignore);
      copyFileSync(folder.file('p/index.sqlite'), folder.file('p/newer.sqlite'));
      await named('index 9.10.1', 'p/newer.sqlite').store(ignore);
      expect(await named('index 16.8.4', 'q/index.sqlite').fetch()).toBeNull();
      const upgraded = named('index 16.8.4', 'q/index.sqlite');
      await upgraded.begin();
      expect(readFileSync(folder.file('q/index.sqlite.stored'), 'utf8')).toContain('9.10.1');
      await upgraded.store(ignore);
      expect(await named('index 16.8.4', 'r/index.sqlite').fetch()).toMatchObject({ version: 1 });
      expect(await rows("name = 'index 9.9.9'")).toBeGreaterThan(20);
    }, 60_000);

    it('are left alone while another process writes the local one', async () => {
      await build('s/index.sqlite');
      await shared('s/index.sqlite').store(ignore);
      await shared('t/index.sqlite').fetch();
      await shared('s/index.sqlite').change(async () => alter(folder.file('s/index.sqlite')));
      const writing = shared('t/index.sqlite').change(
        () => new Promise((resolve) => setTimeout(resolve, 1_000)),
      );
      await poll('the lock', () => existsSync(folder.file('t/index.sqlite.staging')) || undefined);
      await expect(shared('t/index.sqlite').change(async () => 1)).rejects.toMatchObject({
        reason: 'index_busy',
      });
      await writing;
    }, 60_000);

    it('say that blocks are damaged', async () => {
      await build('j/index.sqlite');
      await shared('j/index.sqlite').store(ignore);
      await database.sql("UPDATE pith.index_block SET bytes = '\\x00' WHERE number = 3");
      await expect(shared('k/index.sqlite').fetch()).rejects.toThrow('damaged');
      expect(readdirSync(folder.file('k'))).toEqual([]);
    }, 60_000);

    it('are not stored in part when the run is killed', async () => {
      writeFiles(
        folder.path,
        Object.fromEntries(
          Array.from({ length: 300 }, (_, at) => [
            `many/${at}.md`,
            `# Page ${at}\n\n${'Words of the page. '.repeat(200)}\n`,
          ]),
        ),
      );
      const run = startPith(['index', folder.file('many'), '--index', folder.file('l/index.sqlite')], {
        env,
      });
      await poll(
        'the first blocks',
        () => existsSync(folder.file('l/index.sqlite.draft')) || undefined,
        SLOW_MS,
      );
      run.child.kill('SIGKILL');
      await once(run.child, 'close');
      const stored = await database.sql(
        "SELECT size FROM pith.index_file WHERE version > 0 AND project = 'harbour'",
      );
      const whole = Math.ceil(Number(stored[0]?.['size'] ?? 0) / 8_192);
      expect(await rows("project = 'harbour'")).toBe(whole);
      expect((await pith('index', folder.file('many'), '--index', folder.file('l/index.sqlite'))).code).toBe(
        0,
      );
      expect((await pith('index', folder.file('many'), '--index', folder.file('m/index.sqlite'))).code).toBe(
        0,
      );
      expect(existsSync(join(folder.path, 'l/index.sqlite.draft'))).toBe(false);
    }, 180_000);
  });
});

/** A change as a run makes it, by a process that has the lock already. */
async function alter(file: string): Promise<void> {
  const database = openForWriting(file);
  database.exec("UPDATE meta SET value = value + 1 WHERE key = 'generation'");
  database.close();
}
