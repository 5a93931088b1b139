import type { Scope } from '../../core/scope.js';
import { permits, type PolicyRule } from './policy-rule.js';

/** A denied call of a tool that takes a scope. */
export interface DeniedCall {
  /** The rules that decide about it, in order. */
  readonly rules: readonly PolicyRule[];
  /** Name of the rule that denies it. */
  readonly rule: string;
  readonly scope: Scope;
  /** Name of the rule that denies the call with another scope; null if it is not denied. */
  readonly deniedBy: (scope: Scope) => string | null;
}

/** The lists of a scope that a call can narrow. */
const LISTS = [
  ['doc_tags', 'docTags'],
  ['repositories', 'repositories'],
] as const;
type List = (typeof LISTS)[number];

/** Values that a hint names; longer lists are cut. */
const MAX_NAMED = 8;

/** The values of a list that the rule denies, and those that other rules deny when its values are left out. */
function deniedValues({ rules, rule, scope, deniedBy }: DeniedCall, [field, key]: List): readonly string[] {
  const named = rules.flatMap((each) => each.scope?.[field] ?? []);
  const denied = new Set<string>();
  for (let by: string | null = rule; by !== null;) {
    const values: readonly string[] = rules.find(({ name }) => name === by)?.scope?.[field] ?? [];
    if (values.every((value) => denied.has(value))) break;
    for (const value of values) denied.add(value);
    by = deniedBy({ ...scope, [key]: (scope[key] ?? named).filter((value) => !denied.has(value)) });
  }
  return [...denied];
}

/** The lists to send, as words; null if none of them helps. */
function narrower(call: DeniedCall, lists: readonly List[]): string | null {
  const { rules, scope, deniedBy } = call;
  for (const list of lists) {
    const [field, key] = list;
    const visible = scope[key];
    const denied = deniedValues(call, list);
    const permitted = rules
      .filter(({ effect }) => permits(effect))
      .map((each) => (each.scope?.[field] ?? []).filter((value) => visible?.includes(value) ?? true));
    const tries = [visible ?? [], ...permitted]
      .map((values) => values.filter((value) => !denied.includes(value)))
      .filter(({ length }) => length > 0)
      .map((values) => ({ values, rule: deniedBy({ ...scope, [key]: values }) }));
    const words = (values: readonly string[]): string =>
      `scope.${field} ${JSON.stringify(values.slice(0, MAX_NAMED))}`;
    const found = tries.find(({ rule }) => rule === null);
    if (found) return `${words(found.values)}.`;
    // No rule matches an empty list, nor a value that no rule names.
    if (visible === null && deniedBy({ ...scope, [key]: [] }) === null)
      return `scope.${field} without ${denied.slice(0, MAX_NAMED).join(', ')}; scope.describe lists the values.`;
    for (const { values, rule } of tries) {
      const narrowed = { ...call, rule: rule ?? call.rule, scope: { ...scope, [key]: values } };
      const others = lists.filter((other) => other !== list);
      const rest = narrower(narrowed, others);
      if (rest !== null) return `${words(values)} and ${rest}`;
    }
  }
  return null;
}

/**
 * Finds a narrower scope with which a denied call is not denied, also if several rules deny it.
 * @returns an instruction for the caller; null if no lists of tags and repositories help
 */
export function suggestScope(call: DeniedCall): string | null {
  const found = narrower(call, LISTS);
  return found === null ? null : `Call again with ${found}`;
}
