import { decodeJwt, decodeProtectedHeader } from 'jose';
import { InvalidArgumentError } from '../../core/errors.js';
import {
  type Holder,
  InvalidTokenError,
  IssuerUnavailableError,
  NoPrincipalError,
  type ProtectedResource,
} from '../../mcp/access-tokens.js';
import type { Principals } from '../../mcp/principals.js';

const REASONS = [InvalidTokenError, NoPrincipalError, IssuerUnavailableError];

function refused(message: string, hints: readonly string[] = []): InvalidArgumentError {
  const hint = [...hints, 'docs/access.md says which tokens are accepted.'].join(' ');
  return new InvalidArgumentError(message, { reason: 'invalid_input', hint });
}

/** Messages of an error and of its causes. */
function causesOf(error: unknown): string[] {
  return error instanceof Error ? [`(${error.message})`, ...causesOf(error.cause)] : [];
}

/** Claims as text. JSON, because strangers write them. */
const claimsText = (claims: Readonly<Record<string, unknown>>): string =>
  Object.entries(claims)
    .map(([name, value]) => `${name} ${value === undefined ? 'missing' : JSON.stringify(value)}`)
    .join(', ');

/** Issuer, audience, expiry and algorithm of a JSON Web Token, not verified; [] for other tokens. */
function statedIn(token: string): string[] {
  try {
    const { iss, aud, exp = NaN } = decodeJwt(token);
    const { alg, typ } = decodeProtectedHeader(token);
    const expires = Number.isFinite(exp) ? new Date(exp * 1_000) : undefined;
    return [`The token says, not verified: ${claimsText({ iss, aud, exp: expires, alg, typ })}.`];
  } catch {
    return [];
  }
}

function hintsAbout(error: unknown, token: string, { issuers }: ProtectedResource): string[] {
  if (error instanceof NoPrincipalError)
    return [`Claims that the file asks for, as the token has them: ${claimsText(error.seen)}.`];
  if (!(error instanceof InvalidTokenError)) return [];
  const trusted = error.fault === 'unknown_issuer' ? [`The file trusts: ${issuers.join(', ')}.`] : [];
  return [...statedIn(token), ...trusted];
}

/**
 * Checks a token as a server does.
 * @param file  the access file, for messages @throws InvalidArgumentError with what is wrong with the token
 */
export async function holderOf(token: string, file: string, principals: Principals): Promise<Holder> {
  const { protectedResource } = principals;
  if (!protectedResource) throw refused(`${file} accepts no access tokens: it has no part \`oauth\`.`);
  if (token === '') throw refused('There is no token on stdin.');
  try {
    return await principals.withToken(token, (ask) => ask());
  } catch (error) {
    if (!REASONS.some((reason) => error instanceof reason)) throw error;
    const { message, cause } = error as Error;
    throw refused(message, [...causesOf(cause), ...hintsAbout(error, token, protectedResource)]);
  }
}

/** Lines about the scopes of a token, and about tools that need others. @param offered  tools of its principal */
export function scopeLines(
  { scopes }: Holder,
  resource: ProtectedResource | null,
  offered: readonly string[],
): string[] {
  const lacking = offered.flatMap((tool) => {
    const missing = (resource?.needed(tool) ?? []).filter((scope) => !scopes?.includes(scope));
    return missing.length === 0 ? [] : [`${tool} (${missing.join(' ')})`];
  });
  return [
    `scopes of the token: ${scopes?.join(' ') || 'none'}`,
    ...(lacking.length === 0 ? [] : [`tools that need further scopes: ${lacking.join(', ')}`]),
  ];
}
