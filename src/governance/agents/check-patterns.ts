import type { AnyTool } from '../../mcp/define-tool.js';
import type { FileProblem } from '../../mcp/describe-issue.js';
import { underscored } from '../../mcp/surface/surface.js';
import { matchesPattern } from '../policy/match-rule.js';
import type { PolicyRule } from '../policy/policy-rule.js';
import type { Governance } from './governance-file.js';

type RuleSet = readonly [path: FileProblem['path'], rules: readonly PolicyRule[]];

/** The lists of rules of a file, with their places. */
export const ruleSets = ({ policy }: Pick<Governance, 'policy'>): RuleSet[] => [
  [['policy', 'rules'], policy.rules],
  ...Object.entries(policy.templates).map(([name, rules]): RuleSet => [['policy', 'templates', name], rules]),
];

/** The problem of a pattern that matches tools only by another spelling or by an alias; null if it has none. */
function misspelling(
  pattern: string,
  { aliases, providers }: Governance,
  tools: readonly AnyTool[],
): string | null {
  if (tools.some(({ name }) => matchesPattern(pattern, name))) return null;
  const alias = Object.entries(aliases).find(([name]) =>
    [name, underscored(name)].some((spelling) => matchesPattern(pattern, spelling)),
  );
  if (alias) return `${pattern} matches only the alias ${alias[0]}. Write ${alias[1]}`;
  const provider = Object.keys(providers).find((name) => pattern.startsWith(`${underscored(name)}_`));
  const meant =
    tools.find(({ name }) => matchesPattern(pattern, underscored(name)))?.name ??
    (provider === undefined ? null : `${provider}.${pattern.slice(provider.length + 1)}`);
  return meant === null ? null : `no tool matches ${pattern}. Write names with their dots, such as ${meant}`;
}

/** Patterns of capabilities and rules that would not apply because they spell names of tools in another way. */
export function patternProblems(governance: Governance, tools: readonly AnyTool[]): FileProblem[] {
  const places: (readonly [FileProblem['path'], readonly string[]])[] = [
    ...Object.entries(governance.capabilities).map(
      ([name, patterns]) => [['capabilities', name], patterns] as const,
    ),
    ...ruleSets(governance).flatMap(([path, rules]) =>
      rules.map(({ tools: patterns = [] }, i) => [[...path, i, 'tools'], patterns] as const),
    ),
  ];
  return places.flatMap(([path, patterns]) =>
    patterns.flatMap((pattern, i) => {
      const message = misspelling(pattern, governance, tools);
      return message === null ? [] : [{ path: [...path, i], message }];
    }),
  );
}
