import { agentNames } from '../../governance/agents/known-agent.js';
import { matchesPattern } from '../../governance/policy/match-rule.js';
import { shadowedRules } from '../../governance/policy/shadowed-rules.js';
import { providerConfigs } from '../../governance/providers/provider-file.js';
import { fullNameOf, providerOf } from '../../governance/providers/review-tools.js';
import { BUILT_IN, type Principal } from '../../mcp/principals.js';
import { withKnownNames } from '../../text/nearest-name.js';
import { aboutDomains } from './domain-warnings.js';
import type { OpenGovernance } from './open-governance.js';
import { aboutProvider } from './provider-warnings.js';
import { aboutScopes } from './scope-warnings.js';

type Known = Pick<OpenGovernance, 'governance' | 'surface' | 'pins'>;

const isMatched = (pattern: string, names: readonly string[]): boolean =>
  names.some((name) => matchesPattern(pattern, name));

/**
 * Warns about patterns of tools that match nothing. Tools of a provider are not known before a server has connected to it.
 * @param where  the place of the patterns in the file
 */
export function unmatchedPatterns(
  where: string,
  patterns: readonly string[],
  { governance, surface, pins }: Known,
): string[] {
  const listed = pins.map(({ provider, tool }) => fullNameOf(provider, tool));
  const providers = Object.keys(governance.providers);
  const own = [...surface.tools.keys()].filter((name) => !listed.includes(name));
  return patterns.flatMap((pattern) => {
    if (isMatched(pattern, [...own, ...listed])) return [];
    const provider = providerOf(pattern, providers);
    const ofProvider = listed.filter((name) => providerOf(name, providers) === provider);
    const unlisted = providers.filter((name) => !pins.some((pin) => pin.provider === name));
    if (unlisted.some((name) => name === provider || matchesPattern(pattern, fullNameOf(name, ''))))
      return [];
    const [statement, whose, known] = provider
      ? [`no tool of the provider ${provider} matches ${pattern}`, 'Its tools', ofProvider]
      : [`no tool matches ${pattern}`, 'Tools', own.filter((name) => surface.tools.get(name)?.isListed)];
    return [`warning: ${where}: ${withKnownNames(statement, pattern, { whose, known })}`];
  });
}

function aboutRules(known: Known, principals: readonly Principal[]): string[] {
  const { capabilities, policy } = known.governance;
  const principalNames = [...BUILT_IN, ...principals].map(({ name }) => name);
  const unknown = (kind: string, patterns: readonly string[], names: readonly string[]): string[] =>
    patterns
      .filter((pattern) => !isMatched(pattern, names))
      .map((pattern) =>
        withKnownNames(`no ${kind} matches ${pattern}`, pattern, { whose: `Known ${kind}s`, known: names }),
      );
  const rules = [...policy.rules, ...Object.values(policy.templates).flat()];
  return [
    ...Object.entries(capabilities).flatMap(([name, patterns]) =>
      unmatchedPatterns(`capability ${name}`, patterns, known),
    ),
    ...rules.flatMap(({ name, tools = [], agents: forAgents = [], principals: forPrincipals = [] }) => [
      ...unmatchedPatterns(`rule ${name}`, tools, known),
      ...[
        ...unknown('agent', forAgents, agentNames(known.governance)),
        ...unknown('principal', forPrincipals, principalNames),
      ].map((problem) => `warning: rule ${name}: ${problem}`),
    ]),
  ];
}

/** Rules that an earlier rule leaves nothing to decide. The rules of a template come after those of the file. */
function aboutOrder({ governance: { policy } }: Known): string[] {
  return [[], ...Object.values(policy.templates)].flatMap((template) =>
    shadowedRules([...policy.rules, ...template])
      .filter(({ rule }) => template.length === 0 || template.includes(rule))
      .map(({ rule, by }) => {
        const isAcross = template.includes(rule) && policy.rules.includes(by);
        const advice = isAcross
          ? `Rules of templates come last: narrow ${by.name}, or remove ${rule.name}.`
          : `Move ${rule.name} up.`;
        return `warning: rule ${rule.name} never applies: the rule ${by.name} above it decides all its calls. ${advice}`;
      }),
  );
}

/** Parts of a valid governance file, and of principals, that have no effect or can't work here; tools that nobody may call. */
export async function warningsOf(
  known: Known & Pick<OpenGovernance, 'config' | 'service'>,
  principals: readonly Principal[],
): Promise<string[]> {
  return [
    ...aboutRules(known, principals),
    ...aboutOrder(known),
    ...aboutDomains(known),
    ...(await aboutScopes(known, principals)),
    ...providerConfigs(known.governance.providers).flatMap((provider) => aboutProvider(provider, known.pins)),
  ];
}
