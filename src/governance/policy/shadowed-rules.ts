import { matchesPattern } from './match-rule.js';
import type { PolicyRule } from './policy-rule.js';

/** A rule that never applies, with the rule that decides all its calls. */
interface ShadowedRule {
  readonly rule: PolicyRule;
  readonly by: PolicyRule;
}

type Patterns = readonly string[] | undefined;

/** True if every name that the narrow patterns match is matched by the wide ones; without patterns, all names match. */
const coversNames = (wide: Patterns, narrow: Patterns): boolean =>
  wide === undefined ||
  (narrow?.every((each) => wide.some((pattern) => matchesPattern(pattern, each))) ?? false);

const coversSame = (wide: unknown, narrow: unknown): boolean =>
  wide === undefined || JSON.stringify(wide) === JSON.stringify(narrow);

function covers(wide: PolicyRule, narrow: PolicyRule): boolean {
  const { safety } = wide;
  const coversScope =
    wide.scope === undefined || (wide.effect === narrow.effect && coversSame(wide.scope, narrow.scope));
  return (
    coversNames(wide.tools, narrow.tools) &&
    coversNames(wide.agents, narrow.agents) &&
    coversNames(wide.principals, narrow.principals) &&
    (safety === undefined || (narrow.safety?.every((each) => safety.includes(each)) ?? false)) &&
    coversSame(wide.time, narrow.time) &&
    coversScope
  );
}

/**
 * Finds rules that never apply because an earlier rule matches all their calls. Several rules that do so only together
 * are not found.
 * @param rules  in the order in which they are tried
 */
export function shadowedRules(rules: readonly PolicyRule[]): ShadowedRule[] {
  return rules.flatMap((rule, at) => {
    const by = rules.slice(0, at).find((earlier) => covers(earlier, rule));
    return by ? [{ rule, by }] : [];
  });
}
