import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { print } from '../../cli/print.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { LOCAL } from '../../mcp/principals.js';
import { describeTools } from '../../mcp/surface/describe-tools.js';
import type { Surface } from '../../mcp/surface/surface.js';
import { OPEN_ACCESS } from '../../mcp/tool-access.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { agentNames } from '../agents/known-agent.js';
import { fileWarnings } from './access-warnings.js';
import { changedOffers } from './agent-lines.js';
import type { CheckFlags } from './flags.js';
import { fileOf, openGovernance, principalsIn } from './open-governance.js';

/** One line about an agent: the tools it is offered, and what their list costs in a model's context. */
function offerLine(agent: string, surface: Surface): string {
  const caller = makeCaller(LOCAL, { agent });
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
export async function checkGovernance(
  given: string | undefined,
  flags: CheckFlags,
  tools: readonly AnyTool[],
): Promise<void> {
  const settings = loadConfig(settingsFrom(flags));
  const file = fileOf(given, settings);
  const opened = await openGovernance(settings, tools, file);
  const against = flags.against === undefined ? null : await openGovernance(settings, tools, flags.against);
  const { governance, surface } = opened;
  const agents = agentNames(governance);
  const { accessFile } = settings.http;
  const principals = principalsIn(accessFile, opened);
  const lines = [
    `${file} is valid.`,
    ...(accessFile === '' ? [] : [`${accessFile} is valid: ${principals.length} principals.`]),
    ...agents.map((agent) => offerLine(agent, surface)),
    ...(against === null ? [] : changedOffers(against, opened)),
    ...(await fileWarnings(opened, accessFile)),
  ];
  print(...lines);
}
