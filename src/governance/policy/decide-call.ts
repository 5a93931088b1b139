import type { Scope } from '../../core/scope.js';
import { type CallFacts, matchesRule } from './match-rule.js';
import { type Effect, EFFECTS, type PolicyRule } from './policy-rule.js';

/** The decision of a policy about a call, and the rule that decided. */
export interface Decision {
  readonly effect: Effect;
  readonly rule: string;
  /** The tool whose rule decided: the called one, or one that it stands for. */
  readonly tool: string;
  /** For the caller; null if the rule gives none. */
  readonly reason: string | null;
}

const DENY: PolicyRule = { name: 'default-deny', effect: 'deny' };

/** The rules behind all others. They decide alone if nothing is configured. */
export const DEFAULT_RULES: readonly PolicyRule[] = [
  { name: 'default-reads', safety: ['read'], effect: 'allow' },
  DENY,
];

function firstMatch(rules: readonly PolicyRule[], facts: CallFacts): Decision {
  const {
    name,
    effect,
    reason = null,
  } = [...rules, ...DEFAULT_RULES].find((rule) => matchesRule(rule, facts)) ?? DENY;
  return { effect, rule: name, tool: facts.tool, reason };
}

/**
 * Decides a call: for each tool, the first rule that matches; of several tools, the strictest decision.
 * @param rules  in order; `DEFAULT_RULES` follow
 * @param standsFor  other tools that return the same documents; a denial of one denies the call
 */
export function decideCall(
  rules: readonly PolicyRule[],
  facts: CallFacts,
  standsFor: readonly string[] = [],
): Decision {
  return standsFor
    .map((tool) => firstMatch(rules, { ...facts, tool }))
    .reduce(
      (strictest, next) =>
        EFFECTS.indexOf(next.effect) > EFFECTS.indexOf(strictest.effect) ? next : strictest,
      firstMatch(rules, facts),
    );
}

/**
 * True if the rules deny a tool regardless of scope and time. Such a tool is not listed. Rules with a scope or a time may
 * not apply, so they hide nothing.
 */
export function isAlwaysDenied(
  rules: readonly PolicyRule[],
  facts: Omit<CallFacts, 'scope' | 'at'>,
): boolean {
  for (const rule of [...rules, ...DEFAULT_RULES]) {
    const { scope, time, ...rest } = rule;
    const isConditional = scope !== undefined || time !== undefined;
    if (!matchesRule(rest, { ...facts, scope: NO_SCOPE, at: 0 })) continue;
    if (!isConditional) return rule.effect === 'deny';
    if (rule.effect !== 'deny') return false;
  }
  return true;
}

const NO_SCOPE: Scope = { projectId: '', environment: '', docTags: null, repositories: null };
