import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { FilePrincipals } from '../../governance/access/file-principals.js';
import { readAccess } from '../../governance/access/read-access.js';
import { type Governance, NO_GOVERNANCE } from '../../governance/agents/governance-file.js';
import { readGovernance } from '../../governance/agents/read-governance.js';
import { GovernanceService } from '../../governance/governance.service.js';
import { ownRegistry, type ToolRegistry } from '../../governance/registry/tool-registry.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import type { Principal } from '../../mcp/principals.js';
import { resolveSurface, type Surface } from '../../mcp/surface/surface.js';

/** A governance file, and the tools of a server under it. */
interface OpenGovernance {
  readonly governance: Governance;
  readonly registry: ToolRegistry;
  readonly service: GovernanceService;
  readonly surface: Surface;
}

/**
 * Opens a governance file as servers do.
 * @param tools  the tools of this server
 * @param file  '' for none; default: the file that is configured
 * @throws InvalidConfigurationError
 */
export function openGovernance(
  config: Config,
  tools: readonly AnyTool[],
  file: string = config.governance.file,
): OpenGovernance {
  const governance = file === '' ? NO_GOVERNANCE : readGovernance(file, tools);
  const registry = ownRegistry(tools, governance);
  const service = new GovernanceService(governance, registry, config.governance.agent);
  const governed = { ...config, governance: { ...config.governance, file } };
  const surface = { ...resolveSurface(tools, governed, {}), access: service };
  return { governance, registry, service, surface };
}

/** The governance file that is given or configured. @throws InvalidConfigurationError if there is none */
export function fileOf(given: string | undefined, { governance }: Config): string {
  const file = given ?? governance.file;
  if (file !== '') return file;
  throw new InvalidConfigurationError([
    'There is no governance file. Name one, or set PITH_GOVERNANCE_FILE. docs/governance.md has an example.',
  ]);
}

/** The principals of the access file; none without a file. */
export const principalsIn = (file: string, governance: Governance): readonly Principal[] =>
  file === '' ? [] : new FilePrincipals(readAccess(file, governance)).all;
