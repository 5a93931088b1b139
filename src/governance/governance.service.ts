import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { Call } from '../core/call.js';
import { ScopeViolationError } from '../core/errors.js';
import type { Actor, ToolAccess } from '../mcp/tool-access.js';
import { type ActingAgent, rulesFor, type Withheld, withheldBy } from './agents/discover-tools.js';
import { type Agent, ALL_CAPABILITIES, DEFAULT_AGENT, type Governance } from './agents/governance-file.js';
import { decideCall, type Decision } from './policy/decide-call.js';
import { toolFacts } from './registry/tool-facts.js';

const EVERYTHING: Agent = { capabilities: [ALL_CAPABILITIES] };

const HINT = 'Continue without it. The operator can allow it in the governance file.';

/** A decision about a call. */
export interface Explained extends Decision {
  /** What the agent lacks to be offered the tool; null if it is offered. */
  readonly withheld: Withheld | null;
}

/** Which tools agents are offered, and which calls the policy allows. */
export class GovernanceService implements ToolAccess {
  /** @throws InvalidConfigurationError if the server's agent is not defined */
  constructor(
    private readonly governance: Governance,
    serverAgent: string,
  ) {
    if (this.isDefined(serverAgent)) return;
    const known = Object.keys(governance.agents).join(', ') || 'none';
    throw new InvalidConfigurationError([
      `PITH_AGENT: no agent is named ${serverAgent}. Agents of PITH_GOVERNANCE_FILE: ${known}.`,
    ]);
  }

  /** True if tools/list shows the tool to the caller, and calls of it may be allowed. */
  offers(actor: Actor, tool: string): boolean {
    return withheldBy(this.governance, this.agentOf(actor), toolFacts(tool)) === null;
  }

  /** Decides a call, with the rule that decides and, for a tool that is not offered, what the agent lacks. */
  explain({ caller, scope, now }: Pick<Call, 'caller' | 'scope' | 'now'>, tool: string): Explained {
    const { name, agent, principal } = this.agentOf(caller);
    const facts = toolFacts(tool);
    const { safety, standsFor } = facts;
    const lacking = withheldBy(this.governance, { name, agent, principal }, facts);
    const at = now();
    const decision = decideCall(
      rulesFor(this.governance, agent),
      { tool, safety, agent: name, principal, scope, at },
      standsFor,
    );
    // A denial by policy has a rule that says more.
    const withheld = lacking === 'policy' ? null : lacking;
    return withheld === null ? { ...decision, withheld } : { ...decision, effect: 'deny', withheld };
  }

  /**
   * Checks a call against what its agent is offered and against the policy, and records the deciding rule.
   * @throws ScopeViolationError `permission_denied`
   */
  check(call: Call, tool: string): void {
    const { effect, rule, reason, withheld } = this.explain(call, tool);
    if (withheld !== null) {
      throw new ScopeViolationError(`${tool} is not offered to this agent.`, {
        reason: 'permission_denied',
        hint: HINT,
      });
    }
    call.trace.policy = { tool, rule, effect };
    if (effect !== 'deny') return;
    throw new ScopeViolationError(reason ?? `${tool} is denied by policy.`, {
      reason: 'permission_denied',
      hint: HINT,
      details: { rule },
    });
  }

  private isDefined(name: string): boolean {
    return name === DEFAULT_AGENT || Object.hasOwn(this.governance.agents, name);
  }

  private agentOf({ agent: name, principal }: Actor): ActingAgent {
    return { name, principal, agent: this.governance.agents[name] ?? EVERYTHING };
  }
}
