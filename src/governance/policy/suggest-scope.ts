import type { Scope } from '../../core/scope.js';
import type { PolicyRule } from './policy-rule.js';

/** A denied call of a tool that takes a scope. */
export interface DeniedCall {
  /** The rules that decide about it, in order. */
  readonly rules: readonly PolicyRule[];
  /** Name of the rule that denies it. */
  readonly rule: string;
  readonly scope: Scope;
  /** True if the call would not be denied with this scope. */
  readonly passesWith: (scope: Scope) => boolean;
}

/** The lists of a scope that a call can narrow. */
const LISTS = [
  ['doc_tags', 'docTags'],
  ['repositories', 'repositories'],
] as const;

/** Values that a hint names; longer lists are cut. */
const MAX_NAMED = 8;

/**
 * Finds a narrower scope with which a denied call is not denied.
 * @returns an instruction for the caller; null if no list of tags or repositories helps
 */
export function suggestScope({ rules, rule, scope, passesWith }: DeniedCall): string | null {
  const deciding = rules.find(({ name }) => name === rule);
  for (const [field, key] of LISTS) {
    const visible = scope[key];
    const denied = deciding?.scope?.[field] ?? [];
    const permitted = rules
      .filter(({ effect }) => effect === 'allow' || effect === 'notify')
      .map((each) => (each.scope?.[field] ?? []).filter((value) => visible?.includes(value) ?? true));
    const lists = [visible ?? [], ...permitted]
      .map((values) => values.filter((value) => !denied.includes(value)))
      .filter(({ length }) => length > 0);
    const found = lists.find((values) => passesWith({ ...scope, [key]: values }));
    if (found) return `Call again with scope.${field} ${JSON.stringify(found.slice(0, MAX_NAMED))}.`;
    // No rule matches an empty list, nor a value that no rule names.
    if (visible === null && passesWith({ ...scope, [key]: [] }))
      return `Call again with scope.${field} without ${denied.slice(0, MAX_NAMED).join(', ')}; scope.describe lists the values.`;
  }
  return null;
}
