import { createHash } from 'node:crypto';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { type Call, type Caller, PERMISSIONS } from '../core/call.js';
import { ScopeViolationError } from '../core/errors.js';
import { furtherTools } from '../mcp/define-tool.js';
import { type Actor, notPermitted, PRINCIPAL_HINT, type ToolAccess } from '../mcp/tool-access.js';
import { canonicalJson } from '../text/canonical-json.js';
import { type ActingAgent, rulesFor, type Withheld, withheldBy } from './agents/discover-tools.js';
import { type Agent, ALL_CAPABILITIES, DEFAULT_AGENT, type Governance } from './agents/governance-file.js';
import { agentNames, isDefined, unknownAgent } from './agents/known-agent.js';
import { askOperator, decideCall, type Decision, DEFAULT_RULES, NOT_OFFERED } from './policy/decide-call.js';
import { needsApproval, permits } from './policy/policy-rule.js';
import { suggestScope } from './policy/suggest-scope.js';
import { type RegisteredTool, standsForWith } from './registry/registered-tool.js';
import type { ToolRegistry } from './registry/tool-registry.js';

/** Agents and principals that are remembered; there are rarely more. */
const MAX_REMEMBERED = 1_000;

/**
 * Remembers which tools each agent is offered for each principal. A list of tools asks for every tool, and again for every
 * tool that a description names.
 */
export class Discovery {
  private readonly remembered = new Map<string, Map<string, Withheld | null>>();
  private revision = 0;

  constructor(
    private readonly governance: Governance,
    private readonly registry: ToolRegistry,
  ) {}

  /** False for an unknown tool. */
  offers(acting: ActingAgent, tool: string): boolean {
    const registered = this.registry.find(tool);
    return registered !== undefined && this.withheld(acting, registered) === null;
  }

  /** Why a tool of the registry is not offered; null if it is offered. */
  withheld(acting: ActingAgent, tool: RegisteredTool): Withheld | null {
    const offered = this.rememberedOf(acting);
    const known = offered.get(tool.name);
    if (known !== undefined) return known;
    const withheld = withheldBy(this.governance, acting, tool);
    offered.set(tool.name, withheld);
    return withheld;
  }

  /**
   * Why a call is not offered that asks for the content of further tools: the principal and the mounts have to permit all
   * of them, the capabilities at least one.
   */
  withheldWith(acting: ActingAgent, tool: RegisteredTool, further: readonly string[]): Withheld | null {
    const own = this.withheld(acting, tool);
    if (own !== null || further.length === 0) return own;
    const reasons = further.map((name) => {
      const found = this.registry.find(name);
      return found ? this.withheld(acting, found) : 'capability';
    });
    const refusal = reasons.find((reason) => reason === 'principal' || reason === 'mount');
    return refusal ?? (reasons.every((reason) => reason === 'capability') ? 'capability' : null);
  }

  private rememberedOf({ name, principal, permissions, tools }: ActingAgent): Map<string, Withheld | null> {
    const { revision } = this.registry;
    if (revision !== this.revision || this.remembered.size > MAX_REMEMBERED) this.remembered.clear();
    this.revision = revision;
    const key = JSON.stringify([name, principal, permissions, tools]);
    const offered = this.remembered.get(key) ?? new Map<string, Withheld | null>();
    this.remembered.set(key, offered);
    return offered;
  }
}

const EVERYTHING: Agent = { capabilities: [ALL_CAPABILITIES] };
const NOTHING: Agent = { capabilities: [] };

const HINT = 'Continue without this tool. The operator can allow it in the governance file.';

const AGENT_HINT = 'Ask for less content. The operator can give the agent more in the governance file.';

/** The facts of a call that decide about it. */
export interface Situation extends Pick<Call, 'caller' | 'scope' | 'now'> {
  /** The arguments after defaults; null before they are known. */
  readonly input: Readonly<Record<string, unknown>> | null;
}

/** The decision about a tool that the agent is not offered. */
const REFUSED = { effect: 'deny', rule: NOT_OFFERED, reason: null, approval: null } as const;

/** The reason of a denial in the run ledger. */
const refusal = (effect: Decision['effect'], withheld: Withheld | null) =>
  effect === 'deny' ? { refusedAs: withheld === null ? 'policy_denied' : 'not_offered' } : {};

/** A decision about a call. */
export interface Explained extends Decision {
  /** Why the agent is not offered the tool; null if it is offered. */
  readonly withheld: Withheld | null;
}

/** Which tools agents are offered, and which calls the policy allows. */
export class GovernanceService implements ToolAccess {
  readonly aliases: ReadonlyMap<string, string>;
  private readonly discovery: Discovery;

  /**
   * @param domains  the namespaces of MCP_DOMAINS
   * @throws InvalidConfigurationError if the server's agent is not defined
   */
  constructor(
    private readonly governance: Governance,
    private readonly registry: ToolRegistry,
    serverAgent: string,
    private readonly domains: readonly string[] = [],
  ) {
    this.aliases = new Map(Object.entries(governance.aliases));
    this.discovery = new Discovery(governance, registry);
    if (isDefined(governance, serverAgent)) return;
    throw new InvalidConfigurationError([`PITH_AGENT: ${unknownAgent(governance, serverAgent)}.`]);
  }

  /** True if tools/list shows the tool to the caller, and calls of it may be allowed. */
  offers(actor: Actor, tool: string): boolean {
    return this.discovery.offers(this.agentOf(actor), tool);
  }

  /** The agents that are offered a tool if they act for a principal with all rights, `default` first. */
  agentsOffered(tool: string): string[] {
    const rights = { principal: '', permissions: PERMISSIONS, tools: null };
    return agentNames(this.governance).filter((agent) => this.offers({ agent, ...rights }, tool));
  }

  /** True if the policy allows a request of the caller now, on these documents, without an approval. */
  allows(caller: Caller, tool: string, { scope, now }: Pick<Call, 'scope' | 'now'>): boolean {
    return permits(this.explain({ caller, scope, now, input: null }, tool).effect);
  }

  /** Decides a call, with the rule that decides and, for a tool that is not offered, what the agent lacks. */
  explain({ caller, scope, now, input }: Situation, tool: string): Explained {
    const acting = this.agentOf(caller);
    const found = this.registry.find(tool);
    if (!found) return { ...REFUSED, tool, withheld: 'capability' };
    const lacking = this.discovery.withheldWith(acting, found, furtherTools(found, input));
    // A denial by policy has a rule that says more.
    if (lacking !== null && lacking !== 'policy') return { ...REFUSED, tool, withheld: lacking };
    const { name: agent, principal } = acting;
    const facts = { tool, safety: found.safety, agent, principal, scope, at: now() };
    const rules = rulesFor(this.governance, acting.agent);
    const decision = decideCall(rules, facts, standsForWith(found, input));
    return { ...(found.approver === null ? decision : askOperator(decision)), withheld: null };
  }

  /** How a denied call can be narrowed so that it is not denied; null if it can't. */
  adviceFor(situation: Situation, tool: string, rule: string): string | null {
    const takesScope = Object.hasOwn(Object(this.registry.find(tool)?.inputSchema['properties']), 'scope');
    if (!takesScope) return null;
    const { caller, scope } = situation;
    return suggestScope({
      rules: rulesFor(this.governance, this.agentOf(caller).agent),
      ...{ rule, scope },
      deniedBy: (narrower) => {
        const decision = this.explain({ ...situation, scope: narrower }, tool);
        return decision.effect === 'deny' ? decision.rule : null;
      },
    });
  }

  noteRefusal(call: Call, tool: string): void {
    const { effect, rule, withheld } = this.explain({ ...call, input: null }, tool);
    call.decisions.decide({ policy: { tool, rule, effect }, ...refusal(effect, withheld) });
  }

  /**
   * Checks a call against what its agent is offered and against the policy, and records the deciding rule.
   * @throws ScopeViolationError `permission_denied`
   */
  check(call: Call, tool: string): void {
    const { effect, rule, reason, withheld, approval } = this.explain(
      { ...call, input: call.decisions.input },
      tool,
    );
    call.decisions.decide({ policy: { tool, rule, effect, approval }, ...refusal(effect, withheld) });
    // Its arguments ask for the content of tools that the caller is not offered.
    if (withheld !== null) throw notPermitted(tool, withheld === 'principal' ? PRINCIPAL_HINT : AGENT_HINT);
    if (effect !== 'deny') return;
    throw new ScopeViolationError(reason ?? `${tool} is denied by policy.`, {
      reason: 'permission_denied',
      hint: this.adviceFor({ ...call, input: call.decisions.input }, tool, rule) ?? HINT,
      details: { rule },
    });
  }

  /** True if a call may need an approval. */
  get needsApprovals(): boolean {
    const { rules, templates } = this.governance.policy;
    return (
      [rules, ...Object.values(templates)].flat().some(({ effect }) => needsApproval(effect)) ||
      this.registry
        .all()
        .some(
          (tool) => tool.approver !== null && this.domains.includes(tool.namespace) && tool.approval !== null,
        )
    );
  }

  /** Hash of the rules that apply to an agent; SHA-256 in hex. */
  policyVersion(actor: Actor): string {
    const rules = [...rulesFor(this.governance, this.agentOf(actor).agent), ...DEFAULT_RULES];
    return createHash('sha256').update(canonicalJson(rules)).digest('hex');
  }

  private agentOf({ agent: name, principal, permissions, tools }: Actor): ActingAgent {
    const { agents } = this.governance;
    const found = Object.hasOwn(agents, name) ? agents[name] : undefined;
    const agent = found ?? (name === DEFAULT_AGENT ? EVERYTHING : NOTHING);
    return { name, agent, principal, permissions, tools };
  }
}
