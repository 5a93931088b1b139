import type { ServerFeature } from '../mcp/serving.js';
import { LEGACY_TOOLS, LegacyModule } from './legacy.module.js';

/** The older tool names and result shapes. */
export const LEGACY: ServerFeature = {
  tools: LEGACY_TOOLS,
  stages: [],
  observers: [],
  stores: () => [],
  modules: () => [LegacyModule],
  routes: async () => [],
};
