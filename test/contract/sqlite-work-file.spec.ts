import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/sqlite/driver.js';
import { ClaimStore } from '../../src/work/claims/claim-store.js';
import { CorpusStore } from '../../src/work/corpora/corpus-store.js';
import { RunStore } from '../../src/work/runs/run-store.js';
import { SchemaStore } from '../../src/work/schemas/schema-store.js';
import { ArtifactStore } from '../../src/work/substrate/artifacts/artifact-store.js';
import { ManifestStore } from '../../src/work/substrate/manifests/manifest-store.js';
import { PointerStore } from '../../src/work/substrate/pointers/pointer-store.js';
import { openWorkFile } from '../../src/work/work-databases.js';
import { aClaim } from '../support/a-claim.js';
import { aRun, aRunEvent } from '../support/a-run.js';
import { aScope } from '../support/builders.js';
import { NO_DOCUMENTS } from '../support/hidden-pages.js';
import { expectWork } from '../support/kept-work.js';
import { testFolder } from '../support/test-folder.js';
import { boundedWork } from '../support/work-stores.js';

const SPACE = { projectId: 'docs', environment: 'prod' };
const SCOPE = aScope({ ...SPACE, docTags: null, repositories: null });
const KEY = { ...SPACE, id: 'run_1', principal: 'ann' };
const SHA256 = '5ef1e291b66ae68ba091f91755a3de8178d2fd1ed64745003881b937d9e1c96b';

const folder = testFolder();
const file = folder.file('index.work.sqlite');
const bounded = boundedWork(file);
const { database: place } = bounded;
const runs = new RunStore(place);
const claims = new ClaimStore(bounded, NO_DOCUMENTS);
const schemas = new SchemaStore(place);
const artifacts = new ArtifactStore(bounded);
const manifests = new ManifestStore(bounded);
const pointers = new PointerStore(bounded);
const corpora = new CorpusStore(place);

function write(to: string, kind: 1 | 2): void {
  const database = openDatabase(to, {});
  database.exec(readFileSync(join(__dirname, '..', 'support', `work-file-${kind}.sql`), 'utf8'));
  database.close();
}

beforeAll(() => write(file, 1));
afterAll(async () => {
  await place.close();
  folder.remove();
});

describe('a work file of the version before runs and claims had schemas', () => {
  it('keeps its runs, which are held to no schema', async () => {
    expect(await runs.get(KEY)).toMatchObject({
      ...{
        name: 'Nightly',
        config: '{"a":1}',
        status: 'started',
        events: 3,
        checkpoint: 1,
        stepSchema: null,
      },
    });
    expect(await runs.checkpoint(KEY, 0)).toMatchObject({ version: 1, state: '{"n":1}' });
    expect(await runs.lease('run_1', 'a', 1)).toMatchObject([{ number: 3 }]);
  });

  it('keeps its claims with evidence and decisions, which have no data', async () => {
    expect(await claims.get(SCOPE, 'c1')).toMatchObject({
      ...{ statement: 'It is used.', data: null, state: 'accepted', createdBy: 'ann' },
      evidence: [
        { id: 'e1', quote: 'Use it.' },
        { id: 'e2', stance: 'contradicts' },
      ],
      decisions: [{ verdict: 'accepted', decidedBy: ['olga'], approvedAt: 1_767_225_600_005 }],
    });
    expect((await claims.list(SCOPE, { limit: 9 })).map(({ id }) => id)).toEqual(['c2', 'c1']);
  });

  it('keeps everything else', async () => {
    expect(await schemas.find(SPACE, 'fact', null)).toMatchObject({ version: 1, text: '{"type":"object"}' });
    expect(await artifacts.find(SPACE, SHA256)).toMatchObject({ sizeBytes: 7, publishedBy: 'ann' });
    expect(await manifests.find(SPACE, '0'.repeat(64))).toMatchObject({ message: 'First' });
    const name = { namespace: 'default', name: 'policies' };
    expect(await pointers.find(SPACE, name)).toMatchObject({ version: 2 });
    expect(await pointers.moves(SPACE, name, { beforeVersion: null, limit: 9 })).toHaveLength(2);
    expect(await corpora.find(SPACE, 'birds')).toMatchObject({ sections: 2 });
  });

  it('takes runs and claims that are held to a schema', async () => {
    const stepSchema = { name: 'fact', version: 1 };
    await runs.create(aRun({ ...KEY, id: 'run_2', stepSchema }), aRunEvent(1, { run_id: 'run_2' }));
    expect(await runs.get({ ...KEY, id: 'run_2' })).toMatchObject({ stepSchema });
    const data = { schema: stepSchema, json: '{}' };
    expect(await claims.create(SCOPE, aClaim({ id: 'c3', data }), [])).toMatchObject({ data, position: 3 });
  });

  it('can still be opened by that version', () => {
    const database = openDatabase(file, { readOnly: true });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    database.close();
  });
});

describe('a work file with questions, gaps and claims with data', () => {
  it('keeps them, and what was there before', async () => {
    const later = folder.file('later.work.sqlite');
    write(later, 2);
    const database = openWorkFile(later);
    await expectWork(database);
    expect(await new RunStore(database).get(KEY)).toMatchObject({ name: 'Nightly', stepSchema: null });
    await database.close();
  });
});
