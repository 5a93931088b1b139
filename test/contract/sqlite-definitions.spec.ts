import { APPROVAL_TABLES, sqliteTables } from '../../src/engines/postgres/shared-tables.js';
import { GOVERNANCE_STORE } from '../../src/governance/governance-store.js';
import { SqliteDatabase } from '../../src/sqlite/stores/sqlite-database.js';
import { definitionsIn } from '../support/governance-stores.js';
import { testFolder } from '../support/test-folder.js';
import { definitionStoreContract } from './definition-store.contract.js';

definitionStoreContract('SqliteDefinitionStore', async () => {
  const folder = testFolder();
  const place = { file: folder.file('index.governance.sqlite'), creates: true };
  return { open: () => definitionsIn(place), remove: async () => folder.remove() };
});

describe('SqliteDefinitionStore', () => {
  it('is empty in a file of an older server that is only read', async () => {
    const folder = testFolder();
    const file = folder.file('index.governance.sqlite');
    const older = new SqliteDatabase({
      kind: GOVERNANCE_STORE,
      file,
      creates: true,
      tables: sqliteTables(APPROVAL_TABLES),
    });
    await older.write(async () => undefined);
    const store = definitionsIn({ file, creates: false, isReadOnly: true });
    expect(await store.history('kb.search')).toEqual([]);
    await store.close();
    await older.close();
    folder.remove();
  });
});
