import type { CommandEngines } from '../cli/running/session.js';
import { withMirrors } from './open-engines.js';
import { openMemoryWriter } from './open-memory.js';
import { configuredEmbedder, openIndexWriter } from './open-models.js';

export const COMMAND_ENGINES: CommandEngines = {
  configuredEmbedder,
  openIndexWriter: (config, onVectors, onMirror) =>
    withMirrors(config, openIndexWriter(config, onVectors), onMirror),
  openMemoryWriter,
};
