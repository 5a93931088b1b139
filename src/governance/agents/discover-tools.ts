import { isAlwaysDenied } from '../policy/decide-call.js';
import type { PolicyRule } from '../policy/policy-rule.js';
import type { RegisteredTool } from '../registry/registered-tool.js';
import { type Agent, ALL_CAPABILITIES, type Governance } from './governance-file.js';

function isCapable({ capabilities }: Agent, { capabilities: required }: DiscoveredTool): boolean {
  if (capabilities.includes(ALL_CAPABILITIES)) return true;
  return required.length > 0 && required.every((capability) => capabilities.includes(capability));
}

/** The rules for an agent: those of the file, then those of its template. */
export function rulesFor({ policy }: Governance, { template }: Agent): readonly PolicyRule[] {
  return [...policy.rules, ...(template === undefined ? [] : (policy.templates[template] ?? []))];
}

/** An agent, and the principal that it works for. */
export interface ActingAgent {
  readonly name: string;
  readonly agent: Agent;
  readonly principal: string;
}

/** The facts of a tool that discovery needs. */
export type DiscoveredTool = Pick<
  RegisteredTool,
  'name' | 'safety' | 'mounts' | 'standsFor' | 'capabilities'
>;

/** Why a tool is not offered: the agent lacks a capability or a mount, or the policy always denies the tool. */
export type Withheld = 'capability' | 'mount' | 'policy';

/**
 * Decides if an agent is offered a tool. A tool requires every capability that names it; one that no capability names is
 * offered only to agents with all capabilities.
 * @returns null if it is offered
 */
export function withheldBy(
  governance: Governance,
  { name: agentName, agent, principal }: ActingAgent,
  tool: DiscoveredTool,
): Withheld | null {
  if (!isCapable(agent, tool)) return 'capability';
  const { mounts } = agent;
  if (mounts && !tool.mounts.every((mount) => mounts.includes(mount))) return 'mount';
  const rules = rulesFor(governance, agent);
  const isDenied = [tool.name, ...tool.standsFor].some((name) =>
    isAlwaysDenied(rules, { tool: name, safety: tool.safety, agent: agentName, principal }),
  );
  return isDenied ? 'policy' : null;
}
