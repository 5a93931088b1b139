/** The token of an `Authorization` header: of `Bearer`, or the password of `Basic`; null where there is neither. */
export function tokenIn(header: string | undefined): string | null {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+) *$/i.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme === '') return null;
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  return credentials.slice(credentials.indexOf(':') + 1);
}
