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

const HIDDEN = '***';
/** A shorter value would hide ordinary words. */
const MIN_CHARS = 4;
/** Users and passwords in addresses, headers with credentials, and parameters that are named like secrets. */
const CREDENTIALS = /(?<=[a-z][a-z\d+.-]*:\/\/)[^/\s@]+@/gi;
const HEADER = /((?:proxy-)?authorization|private-token|x-gitlab-token|cookie)(\s*[:=]\s*)[^\r\n]+/gi;
const PARAMETER =
  /([?&;][^=&\s]*(?:token|secret|password|passwd|key|signature|sig|auth)[^=&\s]*=)[^&\s'"]+/gi;

/** A text of a program or a server without secrets, as people may see it. @param secrets  their values */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_CHARS)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]);
  const known = forms
    .sort((a, b) => b.length - a.length)
    .reduce((told, form) => told.replaceAll(form, HIDDEN), text);
  return known
    .replace(CREDENTIALS, `${HIDDEN}@`)
    .replace(HEADER, `$1$2${HIDDEN}`)
    .replace(PARAMETER, `$1${HIDDEN}`);
}
