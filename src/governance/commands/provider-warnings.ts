import { isFolder, isProgramFound } from '../../config/find-program.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { resolveReferences } from '../../config/secret-reference.js';
import { withKnownNames } from '../../text/nearest-name.js';
import { matchesPattern } from '../policy/match-rule.js';
import type { ProviderConfig, ProviderTransport } from '../providers/provider-file.js';
import type { ProviderPin } from '../providers/provider-pins.js';

/** Secrets that are missing. */
function missingSecrets({ name, transport }: ProviderConfig): readonly string[] {
  const [field, given] = transport.kind === 'http' ? ['headers', transport.headers] : ['env', transport.env];
  try {
    resolveReferences(given, `providers.${name}.${field}`);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    return error.problems;
  }
}

/** Why the program of a provider can't be started; [] for a URL. */
export function programTroubles(name: string, transport: ProviderTransport): string[] {
  if (transport.kind === 'http') return [];
  const { command, cwd } = transport;
  if (cwd !== null && !isFolder(cwd)) return [`providers.${name}.cwd: there is no folder ${cwd}`];
  if (isProgramFound(transport)) return [];
  const advice = /\s/.test(command)
    ? 'Write its arguments in args'
    : 'Install it, or correct its name or path';
  const place = /[\\/\s]/.test(command) ? '' : ' on PATH';
  return [`providers.${name}.command: there is no program "${command}"${place}. ${advice}`];
}

/** Patterns of `reads` that match no listed tool. */
function unmatchedReads({ name, reads }: ProviderConfig, pins: readonly ProviderPin[]): string[] {
  const known = pins.filter(({ provider }) => provider === name).map(({ tool }) => tool);
  if (known.length === 0) return [];
  return reads
    .filter((pattern) => !known.some((tool) => matchesPattern(pattern, tool)))
    .map((pattern) => {
      const statement = `providers.${name}.reads: no tool of it matches ${pattern}`;
      return withKnownNames(statement, pattern, { whose: 'Its tools', known });
    });
}

/** The parts of a provider that can't work here or have no effect. */
export function aboutProvider(provider: ProviderConfig, pins: readonly ProviderPin[]): string[] {
  const { name, transport } = provider;
  const isListed = pins.some((pin) => pin.provider === name);
  return [
    ...[
      ...missingSecrets(provider),
      ...programTroubles(name, transport),
      ...unmatchedReads(provider, pins),
    ].map((problem) => `warning: ${problem}`),
    ...(isListed
      ? []
      : [
          `note: providers.${name}: no server has connected to it yet, so patterns for its tools were not checked`,
        ]),
  ];
}
