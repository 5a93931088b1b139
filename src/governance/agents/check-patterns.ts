import type { AnyTool } from '../../mcp/define-tool.js';
import type { FileProblem } from '../../mcp/describe-issue.js';
import { underscored } from '../../mcp/surface/surface.js';
import { withKnownNames } from '../../text/nearest-name.js';
import { canMatchBelow, matchesPattern } from '../policy/match-rule.js';
import type { PolicyRule } from '../policy/policy-rule.js';
import { fullNameOf } from '../providers/review-tools.js';
import type { Governance } from './governance-file.js';
import { agentNames } from './known-agent.js';

type RuleSet = readonly [path: FileProblem['path'], rules: readonly PolicyRule[]];

/** The lists of rules of a file, with their places. */
export const ruleSets = ({ policy }: Pick<Governance, 'policy'>): RuleSet[] => [
  [['policy', 'rules'], policy.rules],
  ...Object.entries(policy.templates).map(([name, rules]): RuleSet => [['policy', 'templates', name], rules]),
];

/** Patterns of names, with their place. */
export type PatternPlace = readonly [path: FileProblem['path'], patterns: readonly string[]];

/** The parts of a governance file that tools are named by. */
export type NamedBy = Pick<Governance, 'aliases' | 'providers'>;

/** The providers that could list a tool later that a pattern matches. */
export const providersOf = (pattern: string, { providers }: Pick<Governance, 'providers'>): string[] =>
  Object.keys(providers).filter((name) => canMatchBelow(pattern, fullNameOf(name, '')));

/** Why a pattern can match no tool of this server and its providers; null if it can. */
function problemOf(pattern: string, names: NamedBy, tools: readonly AnyTool[]): string | null {
  const { aliases } = names;
  if (Object.hasOwn(aliases, pattern)) return `${pattern} is an alias. Write ${aliases[pattern]}`;
  const find = (spelled: (name: string) => string): string | undefined =>
    tools.find(({ name }) => matchesPattern(pattern, spelled(name)))?.name;
  if (find((name) => name) !== undefined || providersOf(pattern, names).length > 0) return null;
  const alias = Object.entries(aliases).find(([name]) =>
    [name, underscored(name)].some((spelling) => matchesPattern(pattern, spelling)),
  );
  if (alias) return `${pattern} matches only the alias ${alias[0]}. Write ${alias[1]}`;
  const provider = Object.keys(names.providers).find((name) => pattern.startsWith(`${underscored(name)}_`));
  const meant =
    provider === undefined ? find(underscored) : fullNameOf(provider, pattern.slice(provider.length + 1));
  if (meant !== undefined) return `no tool matches ${pattern}. Write names with their dots, such as ${meant}`;
  const lower = pattern.toLowerCase();
  if (tools.some(({ name }) => matchesPattern(lower, name)))
    return `no tool matches ${pattern}, because case counts. Write ${lower}`;
  const known = tools.map(({ name }) => name);
  return withKnownNames(`no tool matches ${pattern}`, pattern, { whose: 'Tools', known });
}

/** Patterns that can match no tool: such a rule would not apply, also if it denies. */
export function unmatchablePatterns(
  places: readonly PatternPlace[],
  names: NamedBy,
  tools: readonly AnyTool[],
): FileProblem[] {
  return places.flatMap(([path, patterns]) =>
    patterns.flatMap((pattern, i) => {
      const message = problemOf(pattern, names, tools);
      return message === null ? [] : [{ path: [...path, i], message }];
    }),
  );
}

/** Patterns of rules for agents that the file does not define. */
function unknownAgents(governance: Governance): FileProblem[] {
  const known = agentNames(governance);
  return ruleSets(governance).flatMap(([path, rules]) =>
    rules.flatMap(({ agents = [] }, rule) =>
      agents.flatMap((pattern, i) => {
        if (known.some((name) => matchesPattern(pattern, name))) return [];
        const message = withKnownNames(`no agent matches ${pattern}`, pattern, {
          whose: 'Known agents',
          known,
        });
        return [{ path: [...path, rule, 'agents', i], message }];
      }),
    ),
  );
}

/** Patterns of capabilities and rules that can match nothing. */
export function patternProblems(governance: Governance, tools: readonly AnyTool[]): FileProblem[] {
  const places: PatternPlace[] = [
    ...Object.entries(governance.capabilities).map(([name, patterns]): PatternPlace => [
      ['capabilities', name],
      patterns,
    ]),
    ...ruleSets(governance).flatMap(([path, rules]) =>
      rules.map(({ tools: patterns = [] }, i): PatternPlace => [[...path, i, 'tools'], patterns]),
    ),
  ];
  return [...unmatchablePatterns(places, governance, tools), ...unknownAgents(governance)];
}
