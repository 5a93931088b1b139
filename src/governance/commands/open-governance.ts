import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { serverSecret } from '../../config/server-secret.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import type { Principal } from '../../mcp/principals.js';
import { resolveSurface, type Surface } from '../../mcp/surface/surface.js';
import { FilePrincipals } from '../access/file-principals.js';
import { readAccess } from '../access/read-access.js';
import { type Governance, NO_GOVERNANCE } from '../agents/governance-file.js';
import { isDefined, unknownAgent } from '../agents/known-agent.js';
import { readGovernance } from '../agents/read-governance.js';
import { GovernanceService } from '../governance.service.js';
import { openGovernanceDatabase } from '../governance-store.js';
import type { RecordedEvent } from '../ledger/ledger-event.js';
import { openLedger } from '../ledger/store/open-ledger.js';
import type { ToolLists } from '../providers/offer-tool.js';
import { providerConfigs } from '../providers/provider-file.js';
import { type ProviderPin, ProviderPins } from '../providers/provider-pins.js';
import { ownRegistry, type ToolRegistry } from '../registry/tool-registry.js';

/** Tools, agents and rules as a server with the same settings has them when it starts. */
export interface OpenGovernance {
  readonly config: Config;
  readonly governance: Governance;
  readonly tools: readonly AnyTool[];
  readonly registry: ToolRegistry;
  readonly service: GovernanceService;
  readonly surface: Surface;
  /** The known tools of providers, accepted or not. */
  readonly pins: readonly ProviderPin[];
}

/** The governance file that is given or configured. @throws InvalidConfigurationError */
export function fileOf(given: string | undefined, { governance }: Config): string {
  const file = given ?? governance.file;
  if (file !== '') return file;
  throw new InvalidConfigurationError([
    'There is no governance file. Name one, or set PITH_GOVERNANCE_FILE. docs/governance.md has an example.',
  ]);
}

/** The principals of the access file; none without a file. */
export const principalsIn = (file: string, known: OpenGovernance): readonly Principal[] =>
  file === '' ? [] : new FilePrincipals(readAccess(file, known), known.config.scope.groups).all;

/** Refuses an agent that the governance file does not define. @throws InvalidArgumentError */
export function checkAgent(
  agent: string | undefined,
  { governance }: Pick<OpenGovernance, 'governance'>,
): void {
  if (agent === undefined || isDefined(governance, agent)) return;
  throw new InvalidArgumentError(`--agent: ${unknownAgent(governance, agent)}.`, {
    reason: 'invalid_input',
    hint: 'Give the name of an agent of the governance file.',
  });
}

/** True if no server has stored anything yet. */
export const isStoreMissing = (error: unknown): boolean =>
  error instanceof PithError && error.reason === 'governance_store_missing';

/**
 * Adds the accepted tools of providers. If their store can't be read, the command goes on without them.
 * @returns all known tools of providers
 */
async function addProvided(
  config: Config,
  { terms, ...lists }: ToolLists & { terms: Governance },
): Promise<readonly ProviderPin[]> {
  const configs = providerConfigs(terms.providers);
  if (configs.length === 0) return [];
  const { offerAccepted } = await import('../providers/offer-tool.js');
  const pins = new ProviderPins(openGovernanceDatabase(config, 'look'));
  try {
    await offerAccepted({ configs, pins, aliases: Object.keys(terms.aliases) }, { ...lists, terms });
    return await pins.pins();
  } catch (error) {
    if (isStoreMissing(error)) return [];
    if (!(error instanceof PithError)) throw error;
    tell(`warning: the accepted tools of providers can't be read: ${error.message}`);
    return [];
  } finally {
    await pins.close();
  }
}

/**
 * Reads the files of governance, and the accepted tools of providers from their store. No server is needed.
 * @param file  the governance file; '' for none
 * @throws InvalidConfigurationError
 */
export async function openGovernance(
  settings: Config,
  tools: readonly AnyTool[],
  file: string = settings.governance.file,
): Promise<OpenGovernance> {
  const config = { ...settings, governance: { ...settings.governance, file } };
  const setting = file === settings.governance.file ? 'PITH_GOVERNANCE_FILE' : null;
  const governance = file === '' ? NO_GOVERNANCE : readGovernance(file, tools, setting);
  const registry = ownRegistry(tools, governance);
  const surface = resolveSurface(tools, config, {});
  const service = new GovernanceService(governance, registry, config.governance.agent);
  const pins = await addProvided(config, { registry, surface, terms: governance });
  return { config, governance, tools, registry, service, surface: { ...surface, access: service }, pins };
}

/** Records the event of a command in the ledger of the servers, if there is one. */
export async function recordEvent(config: Config, event: RecordedEvent): Promise<void> {
  const { mode, file } = config.ledger;
  const secret = serverSecret(config);
  // With `auto`, the servers decide; a ledger that exists is one that they write.
  const hasLedger = config.backends.governanceDatabase !== '' || existsSync(file);
  const isRecorded = mode === 'on' || (mode === 'auto' && secret.isLasting && hasLedger);
  if (!isRecorded) return;
  const ledger = openLedger(config, secret, () => undefined);
  try {
    await ledger.append([event], { durable: true });
  } finally {
    await ledger.close();
  }
}
