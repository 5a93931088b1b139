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
