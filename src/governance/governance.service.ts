import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { Call, Caller } from '../core/call.js';
import { ScopeViolationError } from '../core/errors.js';
import type { Actor, ToolAccess } from '../mcp/tool-access.js';
import { type ActingAgent, rulesFor, type Withheld, withheldBy } from './agents/discover-tools.js';
import { type Agent, ALL_CAPABILITIES, DEFAULT_AGENT, type Governance } from './agents/governance-file.js';
import { decideCall, type Decision } from './policy/decide-call.js';
import { toolFacts } from './registry/tool-facts.js';

const EVERYTHING: Agent = { capabilities: [ALL_CAPABILITIES] };
const NOTHING: Agent = { capabilities: [] };

const HINT = 'Continue without this tool. The operator can allow it in the governance file.';

const PRINCIPAL_HINT = 'Continue without this tool. The operator can permit it in the access file.';

/** The facts of a call that decide about it. */
export interface Situation extends Pick<Call, 'caller' | 'scope' | 'now'> {
  /** The arguments after defaults; null before they are known. */
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** The name in place of a rule for a tool that the agent is not offered. */
const NOT_OFFERED = 'not-offered';

/** A decision about a call. */
export interface Explained extends Decision {
  /** Why the agent is not offered the tool; null if it is offered. */
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

  /** True if the policy allows a request of the caller now, on these documents. */
  allows(caller: Caller, tool: string, { scope, now }: Pick<Call, 'scope' | 'now'>): boolean {
    return this.explain({ caller, scope, now, input: null }, tool).effect !== 'deny';
  }

  /** Decides a call, with the rule that decides and, for a tool that is not offered, what the agent lacks. */
  explain({ caller, scope, now, input }: Situation, tool: string): Explained {
    const acting = this.agentOf(caller);
    const { name, agent, principal } = acting;
    const facts = toolFacts(tool, input);
    const { safety, standsFor } = facts;
    const lacking = withheldBy(this.governance, acting, facts);
    const at = now();
    const decision = decideCall(
      rulesFor(this.governance, agent),
      { tool, safety, agent: name, principal, scope, at },
      standsFor,
    );
    // A denial by policy has a rule that says more.
    const withheld = lacking === 'policy' ? null : lacking;
    if (withheld === null) return { ...decision, withheld };
    return { effect: 'deny', rule: NOT_OFFERED, tool, reason: null, withheld };
  }

  /**
   * Checks a call against what its agent is offered and against the policy, and records the deciding rule.
   * @throws ScopeViolationError `permission_denied`
   */
  check(call: Call, tool: string): void {
    const { effect, rule, reason, withheld } = this.explain({ ...call, input: call.trace.input }, tool);
    call.trace.policy = { tool, rule, effect };
    if (withheld !== null) {
      const isPrincipal = withheld === 'principal';
      throw new ScopeViolationError(
        isPrincipal ? `${tool} is not permitted to this caller.` : `${tool} is not offered to this agent.`,
        { reason: 'permission_denied', hint: isPrincipal ? PRINCIPAL_HINT : HINT },
      );
    }
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

  private agentOf({ agent: name, ...actor }: Actor): ActingAgent {
    const { agents } = this.governance;
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
    return { ...actor, name, agent: agent ?? (name === DEFAULT_AGENT ? EVERYTHING : NOTHING) };
  }
}
