import type { ApprovalTerms } from '../../core/call.js';
import { WIDEST_SCOPE } from '../../core/scope.js';
import { type CallFacts, matchesRule } from './match-rule.js';
import { type Effect, EFFECTS, needsApproval, type PolicyRule } from './policy-rule.js';

/** The decision of a policy about a call, and the rule that decided. */
export interface Decision {
  readonly effect: Effect;
  readonly rule: string;
  /** The tool whose rule decided: the called one, or one that it stands for. */
  readonly tool: string;
  /** For the caller; null if the rule gives none. */
  readonly reason: string | null;
  /** How the call is approved; null for other effects. */
  readonly approval: ApprovalTerms | null;
}

const DENY: PolicyRule = { name: 'default-deny', effect: 'deny' };

const READS: PolicyRule = { name: 'default-reads', safety: ['read'], effect: 'allow' };

/** The rules behind all others. They decide alone if nothing is configured. */
export const DEFAULT_RULES: readonly PolicyRule[] = [READS, DENY];

/** The name under which a call is refused whose tool the agent is not offered. */
export const NOT_OFFERED = 'not-offered';

/** Names of decisions without a rule of the file. Rules of files have other names. */
export const OWN_RULES: readonly string[] = [...DEFAULT_RULES.map(({ name }) => name), NOT_OFFERED];

const MINUTE_MS = 60_000;
const DEFAULT_EXPIRES_MINUTES = 60;

/** How calls that match a rule are approved; null if they need no approval. */
function approvalTerms(rule: PolicyRule): ApprovalTerms | null {
  const { effect, approver = 'operator', reason = null, expires_in_minutes = DEFAULT_EXPIRES_MINUTES } = rule;
  if (!needsApproval(effect)) return null;
  return { effect, approver, reason, lifetimeMs: expires_in_minutes * MINUTE_MS };
}

function firstMatch(rules: readonly PolicyRule[], facts: CallFacts): Decision {
  const rule = [...rules, READS].find((each) => matchesRule(each, facts)) ?? DENY;
  const { name, effect, reason = null } = rule;
  return { effect, rule: name, tool: facts.tool, reason, approval: approvalTerms(rule) };
}

/** Orders decisions, mildest first. An approval by an operator is stricter than one that the caller can give. */
const strictnessOf = ({ effect, approval }: Decision): number =>
  EFFECTS.indexOf(effect) + (approval?.approver === 'operator' ? 0.5 : 0);

/**
 * Decides a call: for each tool, the first rule that matches; of several tools, the strictest decision.
 * @param rules  in order; `DEFAULT_RULES` follow
 * @param standsFor  tools that read the documents that the call returns; a denial of one denies the call
 */
export function decideCall(
  rules: readonly PolicyRule[],
  facts: CallFacts,
  standsFor: readonly string[] = [],
): Decision {
  return standsFor
    .map((tool) => firstMatch(rules, { ...facts, tool, safety: 'read' }))
    .reduce(
      (strictest, next) => (strictnessOf(next) > strictnessOf(strictest) ? next : strictest),
      firstMatch(rules, facts),
    );
}

/** The decision about a call that an operator has to approve: what the rules allow waits, what they deny stays denied. */
export function askOperator(decision: Decision): Decision {
  const { effect, reason, approval } = decision;
  if (effect === 'deny') return decision;
  const terms = approval ?? { effect: 'approve', reason, lifetimeMs: DEFAULT_EXPIRES_MINUTES * MINUTE_MS };
  return { ...decision, effect: terms.effect, approval: { ...terms, approver: 'operator' } };
}

/**
 * True if the rules deny a tool regardless of scope and time. Such a tool is not listed. Rules with a scope or a time may
 * not apply, so they hide nothing.
 */
export function isAlwaysDenied(
  rules: readonly PolicyRule[],
  facts: Omit<CallFacts, 'scope' | 'at'>,
): boolean {
  const anywhere = { ...facts, scope: WIDEST_SCOPE, at: 0 };
  const decides = ({ scope, time, ...rest }: PolicyRule): boolean => {
    const isConditional = scope !== undefined || time !== undefined;
    return matchesRule(rest, anywhere) && !(isConditional && rest.effect === 'deny');
  };
  return ([...rules, READS].find(decides) ?? DENY).effect === 'deny';
}
