import { createHash } from 'node:crypto';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { Call, Caller } from '../core/call.js';
import { ScopeViolationError } from '../core/errors.js';
import type { Actor, ToolAccess } from '../mcp/tool-access.js';
import { canonicalJson } from '../text/canonical-json.js';
import { type ActingAgent, rulesFor, type Withheld, withheldBy } from './agents/discover-tools.js';
import { type Agent, ALL_CAPABILITIES, DEFAULT_AGENT, type Governance } from './agents/governance-file.js';
import { decideCall, type Decision, DEFAULT_RULES } from './policy/decide-call.js';
import { standsForWith } from './registry/registered-tool.js';
import type { ToolRegistry } from './registry/tool-registry.js';

const EVERYTHING: Agent = { capabilities: [ALL_CAPABILITIES] };
const NOTHING: Agent = { capabilities: [] };

const HINT = 'Continue without this tool. The operator can allow it in the governance file.';

const PRINCIPAL_HINT = 'Continue without this tool. The operator can permit it in the access file.';

/** The facts of a call that decide about it. */
export interface Situation extends Pick<Call, 'caller' | 'scope' | 'now'> {
  /** The arguments after defaults; null before they are known. */
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** The decision about a tool that the agent is not offered. */
const REFUSED = { effect: 'deny', rule: 'not-offered', reason: null, approval: null } as const;

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
    private readonly registry: ToolRegistry,
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
    const registered = this.registry.find(tool);
    return registered !== undefined && withheldBy(this.governance, this.agentOf(actor), registered) === null;
  }

  /** True if the policy allows a request of the caller now, on these documents, without an approval. */
  allows(caller: Caller, tool: string, { scope, now }: Pick<Call, 'scope' | 'now'>): boolean {
    const { effect } = this.explain({ caller, scope, now, input: null }, tool);
    return effect === 'allow' || effect === 'notify';
  }

  /** Decides a call, with the rule that decides and, for a tool that is not offered, what the agent lacks. */
  explain({ caller, scope, now, input }: Situation, tool: string): Explained {
    const acting = this.agentOf(caller);
    const found = this.registry.find(tool);
    if (!found) return { ...REFUSED, tool, withheld: 'capability' };
    const { safety, mounts, capabilities, permission } = found;
    const standsFor = standsForWith(found, input);
    const lacking = withheldBy(this.governance, acting, {
      name: tool,
      safety,
      mounts,
      capabilities,
      permission,
      standsFor,
    });
    // A denial by policy has a rule that says more.
    if (lacking !== null && lacking !== 'policy') return { ...REFUSED, tool, withheld: lacking };
    const { name: agent, principal } = acting;
    const facts = { tool, safety, agent, principal, scope, at: now() };
    return { ...decideCall(rulesFor(this.governance, acting.agent), facts, standsFor), withheld: null };
  }

  /**
   * Checks a call against what its agent is offered and against the policy, and records the deciding rule.
   * @throws ScopeViolationError `permission_denied`
   */
  check(call: Call, tool: string): void {
    const { effect, rule, reason, withheld, approval } = this.explain(
      { ...call, input: call.trace.input },
      tool,
    );
    call.trace.policy = { tool, rule, effect, approval };
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

  /** True if a call may need an approval. */
  get needsApprovals(): boolean {
    const { rules, templates } = this.governance.policy;
    return [rules, ...Object.values(templates)]
      .flat()
      .some(({ effect }) => effect === 'approve' || effect === 'review');
  }

  /** Hash of the rules that apply to an agent; SHA-256 in hex. */
  policyVersion(actor: Actor): string {
    const rules = [...rulesFor(this.governance, this.agentOf(actor).agent), ...DEFAULT_RULES];
    return createHash('sha256').update(canonicalJson(rules)).digest('hex');
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
