import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { resolveReferences } from '../../config/secret-reference.js';
import { DEFAULT_AGENT } from '../../governance/agents/governance-file.js';
import { matchesPattern } from '../../governance/policy/match-rule.js';
import { type ProviderConfig, providerConfigs } from '../../governance/providers/provider-file.js';
import { namespaceOf } from '../../governance/registry/registered-tool.js';
import { BUILT_IN, type Principal } from '../../mcp/principals.js';
import type { OpenGovernance } from './open-governance.js';

type Known = Pick<OpenGovernance, 'governance' | 'surface'>;

const isMatched = (pattern: string, names: readonly string[]): boolean =>
  names.some((name) => matchesPattern(pattern, name));

/**
 * Warns about patterns of tools that match nothing. Tools of a provider are not known before some are accepted.
 * @param where  the place of the patterns in the file
 */
export function unmatchedPatterns(
  where: string,
  patterns: readonly string[],
  { governance, surface }: Known,
): string[] {
  const names = [...surface.tools.keys()];
  return patterns.flatMap((pattern) => {
    if (isMatched(pattern, names)) return [];
    const provider = namespaceOf(pattern);
    if (!Object.hasOwn(governance.providers, provider))
      return [`warning: ${where}: no tool matches ${pattern}`];
    if (!names.some((name) => namespaceOf(name) === provider)) return [];
    return [`warning: ${where}: no accepted tool of the provider ${provider} matches ${pattern}`];
  });
}

function aboutRules({ governance, surface }: Known, principals: readonly Principal[]): string[] {
  const { capabilities, policy, agents } = governance;
  const agentNames = [DEFAULT_AGENT, ...Object.keys(agents)];
  const principalNames = [...BUILT_IN, ...principals].map(({ name }) => name);
  const known = { governance, surface };
  const unknown = (what: string, patterns: readonly string[], names: readonly string[]): string[] =>
    patterns
      .filter((pattern) => !isMatched(pattern, names))
      .map((pattern) => `no ${what} matches ${pattern}`);
  const rules = [...policy.rules, ...Object.values(policy.templates).flat()];
  return [
    ...Object.entries(capabilities).flatMap(([name, patterns]) =>
      unmatchedPatterns(`capability ${name}`, patterns, known),
    ),
    ...rules.flatMap(({ name, tools = [], agents: forAgents = [], principals: forPrincipals = [] }) => [
      ...unmatchedPatterns(`rule ${name}`, tools, known),
      ...[
        ...unknown('agent', forAgents, agentNames),
        ...unknown('principal', forPrincipals, principalNames),
      ].map((problem) => `warning: rule ${name}: ${problem}`),
    ]),
  ];
}

/** Secrets that are missing, and a command that is a whole command line. */
function aboutProvider({ name, transport }: ProviderConfig): string[] {
  const warnings: string[] = [];
  const field = transport.kind === 'http' ? 'headers' : 'env';
  try {
    resolveReferences(
      transport.kind === 'http' ? transport.headers : transport.env,
      `providers.${name}.${field}`,
    );
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    warnings.push(...error.problems.map((problem) => `warning: ${problem}`));
  }
  if (transport.kind === 'stdio') {
    const { command, cwd } = transport;
    if (/\s/.test(command) && !existsSync(resolve(cwd ?? '.', command)))
      warnings.push(
        `warning: providers.${name}.command: there is no program "${command}". Write its arguments in args`,
      );
  }
  return warnings;
}

/** Parts of a valid governance file that have no effect or can't work here. */
export const warningsOf = (known: Known, principals: readonly Principal[]): string[] => [
  ...aboutRules(known, principals),
  ...providerConfigs(known.governance.providers).flatMap(aboutProvider),
];
