import { readFileSync } from 'node:fs';
import { givenPath } from './given-path.js';
import { InvalidConfigurationError } from './invalid-configuration.js';

const REFERENCE = /^(?<scheme>(?:Bearer|Basic|Token|ApiKey) )?(?<from>env|file):(?<place>.+)$/i;
/** Larger files are not secrets. */
const MAX_SECRET_CHARS = 65_536;

function readSecret(from: string, place: string): string | undefined {
  if (from === 'env') return process.env[place];
  try {
    return readFileSync(givenPath(place).path ?? place, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * Replaces references `env:NAME` and `file:PATH` by what they refer to; other values stay. Relative paths are resolved
 * against the working directory.
 * @param owner  named in messages, which never contain values
 * @throws InvalidConfigurationError if a variable is not set or a file can't be read
 */
export function resolveReferences(
  values: Readonly<Record<string, string>>,
  owner: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { scheme = '', from, place } = REFERENCE.exec(value)?.groups ?? {};
      if (from === undefined || place === undefined) return [name, value];
      const secret = readSecret(from.toLowerCase(), place);
      if (secret !== undefined && secret !== '' && secret.length <= MAX_SECRET_CHARS) {
        return [name, `${scheme}${secret}`];
      }
      const missing =
        from.toLowerCase() === 'env' ? `the variable ${place} is not set` : `${place} can't be read`;
      throw new InvalidConfigurationError([`${owner}: ${name}: ${missing}.`]);
    }),
  );
}

/** The secret of a variable of the environment or, after `file:`, of a file. @param owner  named in messages @throws InvalidConfigurationError */
export function namedSecret(reference: string, owner: string): string {
  const value = reference.startsWith('file:') ? reference : `env:${reference}`;
  return resolveReferences({ secret: value }, owner)['secret'] ?? '';
}
