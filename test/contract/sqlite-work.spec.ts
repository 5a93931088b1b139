import { SchemaStore } from '../../src/work/schemas/schema-store.js';
import { openWorkFile } from '../../src/work/work-databases.js';
import { sqliteWork } from '../support/work-subjects.js';
import { workStoresContract } from './work-stores.contract.js';

workStoresContract(sqliteWork);

describe('SqliteWorkDatabase', () => {
  it('refuses a file of another program', async () => {
    const database = openWorkFile(__filename);
    const store = new SchemaStore(database);
    await expect(store.find({ projectId: 'docs', environment: '' }, 'ticket', null)).rejects.toMatchObject({
      reason: 'work_store_incompatible',
      hint: expect.stringContaining('PITH_WORK_FILE'),
    });
    await database.close();
  });
});
