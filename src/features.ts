import type { ConsolePages } from './admin/console.pages.js';
import type { Config } from './config/config.js';
import { warnLater } from './governance/commands/start-warnings.js';
import { GOVERNANCE } from './governance/governance.feature.js';
import { LEGACY } from './legacy/legacy.feature.js';
import type { AnyTool } from './mcp/define-tool.js';
import type { ServerFeature } from './mcp/serving.js';
import { WORK } from './work/work.feature.js';

/** The parts of a feature, without its commands (`feature-commands.ts`). */
interface Feature extends ServerFeature {
  /** Its pages of the admin console, loaded if the server has one. */
  readonly pages?: () => Promise<ConsolePages>;
  /**
   * Prints warnings about its settings after a server has started.
   * @param accessFile  '' if the server has none
   * @returns a function that drops a check which has not begun
   */
  readonly warnLater?: (config: Config, accessFile: string, tools: () => readonly AnyTool[]) => () => void;
}

/** The features, in the order of the tool list. */
export const FEATURES: readonly Feature[] = [
  {
    ...GOVERNANCE,
    pages: async () => (await import('./governance/pages/governance.pages.js')).GOVERNANCE_PAGES,
    warnLater,
  },
  { ...WORK, pages: async () => (await import('./work/work.pages.js')).WORK_PAGES },
  LEGACY,
];
