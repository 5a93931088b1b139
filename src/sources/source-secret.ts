import { namedSecret } from '../config/secret-reference.js';
import type { Source } from './source.js';

/** The secret of a source; '' if it has none. @throws InvalidConfigurationError for one that is not set */
export const sourceSecret = ({ name, secret }: Pick<Source, 'name' | 'secret'>): string =>
  secret === undefined ? '' : namedSecret(secret, `sources.${name}`);

/** A scheme, such as `Bearer`, and what follows it. */
const WITH_SCHEME = /^[a-z][a-z\d-]* +\S/i;

/**
 * The value of the header Authorization for a secret: a token, `USER:PASSWORD`, or a value with its scheme.
 * @param tokenUser  the user that the host expects with a token; null if it takes the token alone
 * @returns '' for no secret
 */
export function authorization(secret: string, tokenUser: string | null = null): string {
  if (secret === '' || WITH_SCHEME.test(secret)) return secret;
  const pair = secret.includes(':') || tokenUser === null ? secret : `${tokenUser}:${secret}`;
  return pair.includes(':') ? `Basic ${Buffer.from(pair).toString('base64')}` : `Bearer ${secret}`;
}
