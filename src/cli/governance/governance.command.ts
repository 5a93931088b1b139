import { callerFor } from '../../governance/access/explained-caller.js';
import { DEFAULT_AGENT, type Governance } from '../../governance/agents/governance-file.js';
import { matchesPattern } from '../../governance/policy/match-rule.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { LOCAL } from '../../mcp/principals.js';
import { describeTools } from '../../mcp/surface/describe-tools.js';
import type { Surface } from '../../mcp/surface/surface.js';
import { OPEN_ACCESS } from '../../mcp/tool-access.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { type Common, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { fileOf, openGovernance, principalsIn } from './open-governance.js';

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
function offerLine(agent: string, surface: Surface): string {
  const caller = callerFor(LOCAL, agent);
  const all = describeTools({ ...surface, access: OPEN_ACCESS }, caller, null);
  const offered = describeTools(surface, caller, null);
  // Models are given name, description and input schema.
  const tokens = offered
    .map(({ name, description, inputSchema }) =>
      estimateTokens(JSON.stringify({ name, description, inputSchema })),
    )
    .reduce((sum, count) => sum + count, 0);
  return `agent ${agent}: ${offered.length} of ${all.length} tools, about ${Math.round(tokens)} tokens`;
}

/** `pith governance check` */
export function checkGovernance(given: string | undefined, flags: Common, tools: readonly AnyTool[]): void {
  const config = loadConfig(settingsFrom(flags));
  const file = fileOf(given, config);
  const { governance, surface } = openGovernance(config, tools, file);
  const agents = [...new Set([DEFAULT_AGENT, ...Object.keys(governance.agents)])];
  const { accessFile } = config.http;
  const principals = principalsIn(accessFile, governance);
  const lines = [
    `${file} is valid.`,
    ...(accessFile === '' ? [] : [`${accessFile} is valid: ${principals.length} principals.`]),
    ...agents.map((agent) => offerLine(agent, surface)),
    ...unmatched(
      governance,
      tools.map(({ name }) => name),
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
