import type { Actor } from '../../mcp/tool-access.js';
import { isAlwaysDenied } from '../policy/decide-call.js';
import { matchesPattern } from '../policy/match-rule.js';
import type { PolicyRule } from '../policy/policy-rule.js';
import type { RegisteredTool } from '../registry/registered-tool.js';
import { type Agent, ALL_CAPABILITIES, type Governance } from './governance-file.js';

function isCapable(
  { capabilities }: Agent,
  { capabilities: required, namedCapability: named }: DiscoveredTool,
): boolean {
  if (capabilities.includes(ALL_CAPABILITIES)) return named === null || capabilities.includes(named);
  return required.length > 0 && required.every((capability) => capabilities.includes(capability));
}

/** The rules for an agent: those of the file, then those of its template. */
export function rulesFor({ policy }: Governance, { template }: Agent): readonly PolicyRule[] {
  return [...policy.rules, ...(template === undefined ? [] : (policy.templates[template] ?? []))];
}

/** An agent, and the principal that it works for. */
export interface ActingAgent extends Omit<Actor, 'agent'> {
  readonly name: string;
  readonly agent: Agent;
}

/** The facts of a tool that discovery needs. */
export type DiscoveredTool = Pick<
  RegisteredTool,
  'name' | 'safety' | 'permission' | 'mounts' | 'standsFor' | 'capabilities' | 'namedCapability'
>;

/**
 * Why a tool is not offered: the principal is not permitted to use it, the agent lacks a capability or a mount, or the
 * policy always denies the tool.
 */
export type Withheld = 'principal' | 'capability' | 'mount' | 'policy';

/** The same in words, for operators. */
export const WITHHELD_WORDS: Readonly<Record<Withheld, string>> = {
  principal: 'the access file does not permit it to the principal',
  capability: 'the agent lacks a capability that the tool requires',
  mount: 'the agent was not given the part of the server that the tool works on',
  policy: 'the policy always denies it',
};

/** True if a principal is permitted to use a tool, and every tool that returns the same content. */
function isPermitted({ permissions, tools }: ActingAgent, tool: DiscoveredTool): boolean {
  if (!permissions.includes(tool.permission)) return false;
  if (tools === null) return true;
  return [tool.name, ...tool.standsFor].every((name) =>
    tools.some((pattern) => matchesPattern(pattern, name)),
  );
}

/**
 * Decides if an agent is offered a tool. A tool requires every capability that names it; one that no capability names is
 * offered only to agents with all capabilities.
 * @returns null if it is offered
 */
export function withheldBy(
  governance: Governance,
  acting: ActingAgent,
  tool: DiscoveredTool,
): Withheld | null {
  const { name: agentName, agent, principal } = acting;
  if (!isPermitted(acting, tool)) return 'principal';
  if (!isCapable(agent, tool)) return 'capability';
  const { mounts } = agent;
  if (mounts && !tool.mounts.every((mount) => mounts.includes(mount))) return 'mount';
  const rules = rulesFor(governance, agent);
  const caller = { agent: agentName, principal };
  const isDenied =
    isAlwaysDenied(rules, { ...caller, tool: tool.name, safety: tool.safety }) ||
    tool.standsFor.some((name) => isAlwaysDenied(rules, { ...caller, tool: name, safety: 'read' }));
  return isDenied ? 'policy' : null;
}
