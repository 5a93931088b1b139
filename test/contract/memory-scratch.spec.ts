import { MemoryScratchStore } from '../../src/scratch/memory-scratch-store.js';
import { anOwner } from '../support/builders.js';
import { scratchStoreContract } from './scratch-store.contract.js';

scratchStoreContract('MemoryScratchStore', async (limits) => {
  const clock = { at: 0 };
  const store = new MemoryScratchStore({ ...limits, now: () => clock.at, onPressure: () => undefined });
  return {
    store,
    owner: anOwner,
    pass: async (ms) => {
      clock.at += ms;
    },
    close: () => store.close(),
  };
});
