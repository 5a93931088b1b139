import { SqliteProviderPins } from '../../src/governance/providers/provider-pin-stores.js';
import { testFolder } from '../support/test-folder.js';
import { providerPinsContract } from './provider-pins.contract.js';

providerPinsContract('SqliteProviderPins', async () => {
  const folder = testFolder();
  const place = { file: folder.file('index.governance.sqlite'), creates: true };
  return { open: () => new SqliteProviderPins(place), remove: async () => folder.remove() };
});
