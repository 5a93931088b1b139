import type { CommandEngines } from '../cli/running/session.js';
import { withMirrors } from './open-engines.js';
import { openMemoryWriter } from './open-memory.js';
import { configuredEmbedder, openIndexWriter } from './open-models.js';
import { openSharedIndex } from './shared-index.js';

export const COMMAND_ENGINES: CommandEngines = {
  configuredEmbedder,
  openIndexWriter: (config, onVectors, onMirror) =>
    withMirrors(config, openIndexWriter(config, onVectors), onMirror),
  openMemoryWriter,
  changeIndex: async (config, work) => {
    const shared = openSharedIndex(config);
    if (!shared) return work();
    try {
      return await shared.change(work);
    } finally {
      await shared.close();
    }
  },
};
