import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { callerFor } from '../../governance/access/explained-caller.js';
import { FilePrincipals } from '../../governance/access/file-principals.js';
import { readAccess } from '../../governance/access/read-access.js';
import { DEFAULT_AGENT, type Governance } from '../../governance/agents/governance-file.js';
import { readGovernance } from '../../governance/agents/read-governance.js';
import { GovernanceService } from '../../governance/governance.service.js';
import { matchesPattern } from '../../governance/policy/match-rule.js';
import { ownRegistry } from '../../governance/registry/tool-registry.js';
import { type AnyTool } from '../../mcp/define-tool.js';
import { LOCAL, type Principal } from '../../mcp/principals.js';
import { describeTools } from '../../mcp/surface/describe-tools.js';
import { resolveSurface, type Surface } from '../../mcp/surface/surface.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { type Common, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';

/** The governance file that is given or configured. @throws InvalidConfigurationError */
export function fileOf(given: string | undefined, { governance }: Config): string {
  const file = given ?? governance.file;
  if (file !== '') return file;
  throw new InvalidConfigurationError([
    'There is no governance file. Name one, or set PITH_GOVERNANCE_FILE. docs/governance.md has an example.',
  ]);
}

/** Patterns of tools that match nothing, with their place in the file. */
function unmatched({ capabilities, policy }: Governance, names: readonly string[]): string[] {
  const used: (readonly [string, readonly string[]])[] = [
    ...Object.entries(capabilities).map(([name, patterns]) => [`capability ${name}`, patterns] as const),
    ...[...policy.rules, ...Object.values(policy.templates).flat()].map(
      (rule) => [`rule ${rule.name}`, rule.tools ?? []] as const,
    ),
  ];
  return used.flatMap(([where, patterns]) =>
    patterns
      .filter((pattern) => !names.some((name) => matchesPattern(pattern, name)))
      .map((pattern) => `warning: ${where}: no tool matches ${pattern}`),
  );
}

/** One line about an agent: the tools it is offered, and what their list costs in a model's context. */
function offerLine(service: GovernanceService, agent: string, surface: Surface): string {
  const caller = callerFor(LOCAL, agent);
  const all = describeTools(surface, caller, null);
  const offered = describeTools({ ...surface, access: service }, caller, null);
  // Models are given name, description and input schema.
  const tokens = offered
    .map(({ name, description, inputSchema }) =>
      estimateTokens(JSON.stringify({ name, description, inputSchema })),
    )
    .reduce((sum, count) => sum + count, 0);
  return `agent ${agent}: ${offered.length} of ${all.length} tools, about ${Math.round(tokens)} tokens`;
}

/** The settings of a server with the file. */
const governed = (config: Config, file: string): Config => ({
  ...config,
  governance: { ...config.governance, file },
});
/** The principals of the access file; none without a file. */
export const principalsIn = (file: string, governance: Governance): readonly Principal[] =>
  file === '' ? [] : new FilePrincipals(readAccess(file, governance)).all;

/** `pith governance check` */
export function checkGovernance(given: string | undefined, flags: Common, tools: readonly AnyTool[]): void {
  const config = loadConfig(settingsFrom(flags));
  const file = fileOf(given, config);
  const governance = readGovernance(file, tools);
  const service = new GovernanceService(governance, ownRegistry(tools, governance), config.governance.agent);
  const surface = resolveSurface(tools, governed(config, file), {});
  const agents = [...new Set([DEFAULT_AGENT, ...Object.keys(governance.agents)])];
  const { accessFile } = config.http;
  const principals = principalsIn(accessFile, governance);
  const lines = [
    `${file} is valid.`,
    ...(accessFile === '' ? [] : [`${accessFile} is valid: ${principals.length} principals.`]),
    ...agents.map((agent) => offerLine(service, agent, surface)),
    ...unmatched(
      governance,
      tools.map(({ name }) => name),
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
