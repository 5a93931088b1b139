import { SqliteProviderPins } from '../../src/governance/providers/provider-pin-stores.js';
import { SqliteDefinitionStore } from '../../src/governance/registry/definition-stores.js';
import { testFolder } from '../support/test-folder.js';
import { definitionStoreContract } from './definition-store.contract.js';

definitionStoreContract('SqliteDefinitionStore', async () => {
  const folder = testFolder();
  const place = { file: folder.file('index.governance.sqlite'), creates: true };
  return { open: () => new SqliteDefinitionStore(place), remove: async () => folder.remove() };
});

describe('SqliteDefinitionStore', () => {
  it('is empty in a file of an older server that is only read', async () => {
    const folder = testFolder();
    const file = folder.file('index.governance.sqlite');
    const pins = new SqliteProviderPins({ file, creates: true });
    await pins.note('files', []);
    const store = new SqliteDefinitionStore({ file, creates: false, isReadOnly: true });
    expect(await store.history('kb.search')).toEqual([]);
    await store.close();
    await pins.close();
    folder.remove();
  });
});
