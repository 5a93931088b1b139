import { InvalidTokenError } from '../../../mcp/access-tokens.js';
import { seenLine } from '../../../text/show-unseen.js';
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

export const expired = (): InvalidTokenError => new InvalidTokenError('expired', 'The token has expired.');

export const notYetValid = (): InvalidTokenError =>
  new InvalidTokenError('not_yet_valid', 'The token is not valid yet.');

/** The error for a token that was issued for another server. */
export const forOthers = (audiences: readonly string[]): InvalidTokenError =>
  new InvalidTokenError(
    'wrong_audience',
    `The token is not for this server: its audience must be ${audiences.join(' or ')}.`,
  );

/** Longest name of a subject (OpenID Connect Core §2), and of other parties (characters). */
const MAX_NAME_CHARS = 255;
/** The last second of the year 9999 (s since 1970); later times can't be written as dates. */
const LAST_TIME_S = 253_402_300_799;

const TIMES = ['iat', 'nbf', 'exp'];
const NAMES = ['iss', 'sub', 'client_id', 'azp', 'jti'];

const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= LAST_TIME_S;

/** True for a text that can name somebody: short, on one line, and each of its characters can be seen. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARS && seenLine(value) === value;

/** @param now  milliseconds since 1970, with the allowed difference of clocks @throws InvalidTokenError */
export function checkClaims(claims: Claims, now: number): void {
  const isWrong = (name: string, isRight: (value: unknown) => boolean): boolean =>
    claims[name] !== undefined && !isRight(claims[name]);
  const wrong = TIMES.find((name) => isWrong(name, isTime)) ?? NAMES.find((name) => isWrong(name, isName));
  if (wrong !== undefined)
    throw new InvalidTokenError('wrong_claim', `The claim ${wrong} of the token is wrong.`);
  if (Number(claims['iat'] ?? 0) * 1_000 > now) throw notYetValid();
}
