import { pinsIn } from '../support/governance-stores.js';
import { testFolder } from '../support/test-folder.js';
import { providerPinsContract } from './provider-pins.contract.js';

providerPinsContract('SqliteProviderPins', async () => {
  const folder = testFolder();
  const place = { file: folder.file('index.governance.sqlite'), creates: true };
  return { open: () => pinsIn(place), remove: async () => folder.remove() };
});
