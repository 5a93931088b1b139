import { NO_GOVERNANCE } from '../../governance/agents/governance-file.js';
import { isOfDomain } from '../../mcp/define-tool.js';
import type { OpenGovernance } from './open-governance.js';

/** Further tools are counted. */
const MAX_NAMED = 4;

/** Tools of MCP_DOMAINS that write are denied until a rule allows them, and agents don't see what is denied. */
export function aboutDomains({
  surface,
  service,
  governance,
}: Pick<OpenGovernance, 'surface' | 'service' | 'governance'>): string[] {
  const missing = [...surface.tools.values()]
    .filter(({ isOn, definition }) => isOn && isOfDomain(definition.feature) && definition.safety === 'write')
    .map(({ definition }) => definition.name)
    .filter((name) => service.agentsOffered(name).length === 0);
  if (missing.length === 0) return [];
  const more = missing.length - MAX_NAMED;
  const names = missing.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const place =
    governance === NO_GOVERNANCE ? 'a governance file (PITH_GOVERNANCE_FILE)' : 'the governance file';
  return [
    `warning: MCP_DOMAINS names tools that write, but no rule allows them: ${names}. ` +
      `No agent is offered them. Add a rule to ${place}; docs/domains.md has examples.`,
  ];
}
