import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../../src/config/config.js';
import { corporaFolder } from '../../../src/config/local-state.js';
import { PostgresIndexFiles } from '../../../src/engines/postgres/postgres-index-files.js';
import { CorpusIndexes } from '../../../src/work/corpora/corpus-indexes.js';
import { CorpusStore } from '../../../src/work/corpora/corpus-store.js';
import { openWorkDatabase } from '../../../src/work/work-databases.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../../support/build-index.js';
import { describeEngines } from '../../support/engine.js';
import { connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';

const SPACE = { projectId: 'harbour', environment: 'dev' };
const [NAMED, LEFT] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const HOUR_MS = 3_600_000;
const MADE = { description: '', source: '/docs', documents: 1, sections: 1, createdBy: 'ann', createdAt: 1 };
const IDS = 'SELECT name FROM pith.index_file UNION SELECT name FROM pith.index_block ORDER BY name';

describeEngines(['postgres'], 'the indexes of corpora in PostgreSQL', () => {
  const folder = testFolder();
  let database: TestDatabase;
  const closed: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    database = await testDatabase();
    await new PostgresIndexFiles(connectTo(database.url)).version({ ...SPACE, name: 'index 1' });
  });
  afterAll(async () => {
    for (const one of closed) await one.close();
    await database.remove();
    folder.remove();
  });

  it('are removed if no corpus got them, also from a server whose disk is lost', async () => {
    const config = parseConfig({
      PITH_INDEX: folder.file('index.sqlite'),
      PITH_WORK_FILE: folder.file('work.sqlite'),
      PITH_DATABASE: database.url,
      PITH_SECRET: 's'.repeat(32),
    });
    const work = openWorkDatabase(config, 'server');
    const corpora = new CorpusStore(work);
    const indexes = new CorpusIndexes(config, { model: null, reranker: null });
    closed.push(work, indexes);
    const disk = corporaFolder(config);
    for (const id of [NAMED, LEFT]) {
      await buildIndex(FIXTURE_CORPUS, join(disk, `${id}.sqlite`));
      await indexes.share(SPACE, id);
    }
    await corpora.put(SPACE, { ...MADE, name: 'tides', id: NAMED }, null);
    rmSync(disk, { recursive: true });
    const sweep = (hours: number, isNamed = (id: string) => corpora.isNamed(id)) =>
      indexes.sweep(isNamed, hours * HOUR_MS);
    const all = [{ name: `corpus ${NAMED}` }, { name: `corpus ${LEFT}` }];
    await sweep(1);
    expect(await database.sql(IDS)).toEqual(all);
    await sweep(1.1);
    expect(await database.sql(IDS)).toEqual(all);
    // A server names it between the check and the removal.
    await sweep(2, async (id) => {
      await corpora.put(SPACE, { ...MADE, name: 'late', id }, null);
      return false;
    });
    expect(await database.sql(IDS)).toEqual(all);
    await database.sql("DELETE FROM pith.knowledge_corpus WHERE name = 'late'");
    await sweep(3);
    expect(await database.sql(IDS)).toEqual(all.slice(0, 1));
    expect(await indexes.fetch(SPACE, NAMED)).toBe(true);
    expect(existsSync(join(disk, `${NAMED}.sqlite`))).toBe(true);
  }, 60_000);
});
