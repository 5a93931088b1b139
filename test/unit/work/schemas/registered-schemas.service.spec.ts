import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import { RegisteredSchemasService } from '../../../../src/work/schemas/registered-schemas.service';
import { SchemaStore } from '../../../../src/work/schemas/schema-store';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { aCall } from '../../../support/builders';
import { FixedProblems } from '../../../support/registered-schemas';
import { type TestFolder, testFolder } from '../../../support/test-folder';

const PLACE = { projectId: aCall().scope.projectId, environment: aCall().scope.environment };
const VERSION = { name: 'step', hash: 'a', description: '', principal: 'ann', registeredAt: 0 };
const VALUE = { what: 'data', text: '{"n":"x"}', advice: 'Send it again.' };

let folder: TestFolder;
let database: SqlDatabase;
let store: SchemaStore;
beforeEach(async () => {
  folder = testFolder();
  database = openWorkFile(folder.file('w.sqlite'));
  store = new SchemaStore(database);
  for (const version of [1, 2])
    await store.add(PLACE, { ...VERSION, version, text: `{"maxItems":${version}}` });
});
afterEach(async () => {
  await database.close();
  folder.remove();
});

/** Finds as many problems, whatever the value is. */
const withProblems = (count: number, path = '/n', message = 'must be integer'): RegisteredSchemasService =>
  new RegisteredSchemasService(
    store,
    new FixedProblems(Array.from({ length: count }, () => ({ path, message }))),
  );
const refusal = (service: RegisteredSchemasService): Promise<unknown> =>
  service.check(aCall(), { name: 'step', version: 1 }, VALUE).catch((error: unknown) => error);

describe('RegisteredSchemasService', () => {
  it('finds the latest version, or the one that is named', async () => {
    const service = withProblems(0);
    expect(await service.find(aCall(), { name: 'step', version: null })).toMatchObject({ version: 2 });
    expect(await service.find(aCall(), { name: 'step', version: 1 })).toMatchObject({ version: 1 });
  });

  it.each([
    [{ name: 'other', version: null }, 'There is no schema of the name other.'],
    [{ name: 'step', version: 9 }, 'There is no version 9 of a schema of the name step.'],
  ])('names schema.list for the unknown schema %j', async (wanted, message) => {
    await expect(withProblems(0).find(aCall(), wanted)).rejects.toMatchObject({
      ...{ message, reason: 'schema_not_found' },
      hint: expect.stringContaining('schema.list'),
    });
  });

  it('lets values pass that fit, and returns the version', async () => {
    const fits = withProblems(0).check(aCall(), { name: 'step', version: null }, VALUE);
    expect(await fits).toEqual({ name: 'step', version: 2 });
  });

  it('says what does not fit, and what to do', async () => {
    expect(await refusal(withProblems(2))).toMatchObject({
      message: 'data does not fit the schema step, version 1: /n must be integer, and 1 more.',
      reason: 'schema_violation',
      hint: 'Send it again. Nothing was stored. Call schema.get for the schema.',
      details: { schema: { name: 'step', version: 1 }, problems: [{ path: '/n' }, { path: '/n' }] },
    });
  });

  it.each([
    ['20 problems', withProblems.bind(null, 100), 20],
    ['3,000 bytes', withProblems.bind(null, 100, '/\u0000'.repeat(500), 'é'.repeat(500)), 2],
  ])('lists at most %s', async (_, make, expected) => {
    const { problems } = Object((await refusal(make())) as object).details;
    expect(problems).toHaveLength(expected);
    expect(JSON.stringify(problems).length).toBeLessThan(3_000);
  });
});
