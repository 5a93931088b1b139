import { withKnownNames } from '../../text/nearest-name.js';
import { DEFAULT_AGENT, type Governance, NO_GOVERNANCE } from './governance-file.js';

/** True for the names of the file, and for `default`. */
export const isDefined = ({ agents }: Governance, name: string): boolean =>
  name === DEFAULT_AGENT || Object.hasOwn(agents, name);

/** The names of all agents, `default` first. */
export const agentNames = ({ agents }: Pick<Governance, 'agents'>): string[] => [
  ...new Set([DEFAULT_AGENT, ...Object.keys(agents)]),
];

/** A message about an agent that is not defined, without a full stop. */
export function unknownAgent(governance: Governance, name: string): string {
  const whose =
    governance === NO_GOVERNANCE
      ? 'PITH_GOVERNANCE_FILE is not set, so there is only this agent'
      : 'Agents of the governance file';
  return withKnownNames(`no agent is named ${name}`, name, { whose, known: agentNames(governance) });
}
