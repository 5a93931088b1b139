import type { WantedClaims } from './oauth-file.js';

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>;

/** The value of a claim; `a.b` also names `b` in the object `a`, as Keycloak writes roles. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** The scopes of a token: `scope` or, at some servers, `scp`; a text with spaces or a list. */
export function scopesOf(claims: Claims): readonly string[] {
  const given = claims['scope'] ?? claims['scp'];
  const all: readonly unknown[] =
    typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : [];
  return all.filter((scope) => typeof scope === 'string' && scope !== '') as string[];
}

function valuesOf(claims: Claims, name: string): readonly unknown[] {
  if (name === 'scope') return scopesOf(claims);
  const value = claimAt(claims, name);
  return Array.isArray(value) ? value : [value];
}

/** True if a token has every wanted claim, with the wanted value or one of them. */
export const matchesClaims = (wanted: WantedClaims, claims: Claims): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const values = valuesOf(claims, name);
    return [value].flat().some((accepted) => values.includes(accepted));
  });
