import type { Caller } from '../../core/call.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { LOCAL } from '../../mcp/principals.js';
import { mayCall } from '../../mcp/surface/adapt-text.js';
import { agentNames } from '../agents/known-agent.js';
import type { OpenGovernance } from './open-governance.js';

type Known = Pick<OpenGovernance, 'governance' | 'registry' | 'surface' | 'pins'>;

/** The tools that a caller is offered and shown. */
export const offeredTo = (caller: Caller, { surface }: Pick<Known, 'surface'>): string[] =>
  [...surface.tools.values()]
    .filter((tool) => tool.isListed && mayCall(tool, surface, caller))
    .map(({ definition }) => definition.name);

/** True if a provider has tools that are not known yet, because no server has connected to it. */
export const hasUnlisted = ({ governance, pins }: Pick<Known, 'governance' | 'pins'>): boolean =>
  Object.keys(governance.providers).some((name) => !pins.some(({ provider }) => provider === name));

/** The tools of an agent whose principal has no operator's rights. */
const toolsOf = (agent: string, known: Known): string[] => offeredTo(makeCaller(LOCAL, { agent }), known);

/** Tools that a capability of the agent names, and that it is not offered because further capabilities name them. */
function aboutCapabilities(agent: string, { governance, registry, surface }: Known): string[] {
  const given = governance.agents[agent]?.capabilities ?? [];
  return registry.all().flatMap(({ name, capabilities }) => {
    const missing = capabilities.filter((capability) => !given.includes(capability));
    const isPartly = missing.length > 0 && missing.length < capabilities.length;
    if (!isPartly || given.includes('*') || !surface.tools.get(name)?.isListed) return [];
    return [
      `note: agent ${agent} is not offered ${name}: it lacks ${missing.join(' and ')}, which names it too`,
    ];
  });
}

/** Agents without any tool, and tools that an agent lacks because it has only some of their capabilities. */
export function aboutAgents(known: Known): string[] {
  return agentNames(known.governance).flatMap((agent) => {
    const isEmpty = toolsOf(agent, known).length === 0 && !hasUnlisted(known);
    return [
      ...(isEmpty ? [`warning: agent ${agent} is offered no tool`] : []),
      ...aboutCapabilities(agent, known),
    ];
  });
}

/** The tools that each agent loses and gains if the file is replaced. @param before  the present file */
export function changedOffers(before: Known, after: Known): string[] {
  const agents = new Set([...agentNames(before.governance), ...agentNames(after.governance)]);
  const lines = [...agents].flatMap((agent) => {
    const [old, now] = [toolsOf(agent, before), toolsOf(agent, after)];
    const lost = old.filter((name) => !now.includes(name));
    const gained = now.filter((name) => !old.includes(name));
    return [
      ...(lost.length > 0 ? [`agent ${agent} loses: ${lost.join(', ')}`] : []),
      ...(gained.length > 0 ? [`agent ${agent} gains: ${gained.join(', ')}`] : []),
    ];
  });
  return lines.length > 0 ? lines : ['No agent loses or gains a tool.'];
}
