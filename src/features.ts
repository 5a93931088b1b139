import type { ConsolePages } from './admin/console.pages.js';
import type { Config } from './config/config.js';
import type { EnginesModule } from './engines/engines.module.js';
import type { AnyTool } from './mcp/define-tool.js';
import type { Features, HttpAccess, ServedOver, ServerFeature } from './mcp/serving.js';

/** A feature, without its commands (`feature-commands.ts`). */
interface Feature {
  /** True if the feature has to be imported: a setting uses it, or callers or operators can see what it adds. */
  readonly isOn: (config: Config, over: ServedOver) => boolean;
  readonly load: () => Promise<ServerFeature>;
  /** Its pages of the admin console, loaded if the server has one. */
  readonly pages?: () => Promise<ConsolePages>;
}

/**
 * True if a setting asks for governance, or if the server has principals, a ledger and a console, which also list tools
 * that are off: those over HTTP.
 */
export function isGoverned(config: Config, over: ServedOver): boolean {
  const { governance, http, domains, ledger, backends, approvalWebhook, questions } = config;
  const given = [
    governance.file,
    http.accessFile,
    http.auditFile,
    backends.governanceDatabase,
    approvalWebhook.url,
  ];
  return (
    over === 'http' ||
    ledger.mode === 'on' ||
    questions.mode === 'on' ||
    domains.offered.length > 0 ||
    governance.agent !== 'default' ||
    given.some((setting) => setting !== '')
  );
}

/** In the order of the tool list. */
const FEATURES: readonly Feature[] = [
  {
    isOn: isGoverned,
    load: async () => (await import('./governance/governance.feature.js')).GOVERNANCE,
    pages: async () => (await import('./governance/pages/governance.pages.js')).GOVERNANCE_PAGES,
  },
  {
    // Files of governance may name its tools.
    isOn: isGoverned,
    load: async () => (await import('./work/work.feature.js')).WORK,
    pages: async () => (await import('./work/work.pages.js')).WORK_PAGES,
  },
  {
    isOn: (config, over) => config.surface.legacyTools !== 'off' || isGoverned(config, over),
    load: async () => (await import('./legacy/legacy.feature.js')).LEGACY,
  },
];

const load = (features: readonly Feature[]): Promise<readonly ServerFeature[]> =>
  Promise.all(features.map((feature) => feature.load()));

/** Imports the features that a server uses. */
export async function loadFeatures(config: Config, over: ServedOver): Promise<Features> {
  const off = FEATURES.filter((feature) => !feature.isOn(config, over));
  return {
    on: await load(FEATURES.filter((feature) => !off.includes(feature))),
    offTools: async () => (await load(off)).flatMap(({ tools = [] }) => tools),
  };
}

/** Imports all features. */
export const loadAll = (): Promise<readonly ServerFeature[]> => load(FEATURES);

export async function loadPages(): Promise<readonly ConsolePages[]> {
  const pages = await Promise.all(FEATURES.map(async ({ pages }) => pages?.()));
  return pages.filter((each) => each !== undefined);
}

/** Not in the list, because every server needs them: the package of an engine is imported only if it is configured. */
export const loadEngines = async (): Promise<typeof EnginesModule> =>
  (await import('./engines/engines.module.js')).EnginesModule;

/** Opens the access file and the audit file. @throws InvalidConfigurationError */
export const openServerAccess = async (config: Config, tools: readonly AnyTool[]): Promise<HttpAccess> =>
  (await import('./governance/access/open-access.js')).openHttpAccess(config, tools);
