import { timingSafeEqual } from 'node:crypto';
import type { Allowance } from '../../core/call.js';
import { SYSTEM_CLOCK } from '../../core/turns/clock.js';
import {
  type Asking,
  type Holder,
  InvalidTokenError,
  KEY_UNKNOWN,
  NoPrincipalError,
  type ProtectedResource,
} from '../../mcp/access-tokens.js';
import { memberName, type Principal, type Principals } from '../../mcp/principals.js';
import { matchesPattern } from '../policy/match-rule.js';
import type { Access } from './access-file.js';
import { keyDigest, looksLikeKey } from './access-key.js';
import { claimAt, type Claims, isName, matchesClaims, scopesOf } from './oauth/check-claims.js';
import type { OAuth, WantedClaims } from './oauth/oauth-file.js';
import type { TokenVerifier } from './oauth/token-verifier.js';

interface StoredKey {
  /** SHA-256 of the key. */
  readonly digest: Buffer;
  readonly principal: Principal;
}

interface Claimant {
  readonly wanted: WantedClaims;
  /** The claim whose values are principals of their own. */
  readonly each: string | undefined;
  readonly principal: Principal;
}

const digestIn = (hash: string): Buffer => Buffer.from(hash.slice('sha256:'.length), 'hex');

/** @returns null for a token without the claim that names its owner */
function memberOf({ each, principal }: Claimant, claims: Claims): Principal | null {
  if (each === undefined) return principal;
  const value = claimAt(claims, each);
  if (!isName(value)) return null;
  return { ...principal, name: memberName(principal.name, value) };
}

/** Fields that are absent in the file are absent in the allowance. */
function allowanceOf(limits: Access['principals'][string]['limits']): Allowance {
  const { calls_per_minute, concurrent_calls, bytes_per_day } = limits;
  return {
    ...(calls_per_minute !== undefined && { callsPerMinute: calls_per_minute }),
    ...(concurrent_calls !== undefined && { concurrentCalls: concurrent_calls }),
    ...(bytes_per_day !== undefined && { bytesPerDay: bytes_per_day }),
  };
}

/** The principals of an access file. */
export class FilePrincipals implements Principals {
  readonly areRequired = true;
  readonly all: readonly Principal[];
  readonly protectedResource: ProtectedResource | null;
  private readonly keys: readonly StoredKey[];
  private readonly claimants: readonly Claimant[];
  private readonly oauth: OAuth | undefined;
  private verifier: Promise<TokenVerifier> | null = null;

  constructor({ principals, oauth }: Access) {
    const entries = Object.entries(principals).map(
      ([
        name,
        { keys = [], claims, each, agent = null, permissions, tools = null, scope, limits, memory },
      ]) => ({
        ...{ keys, claims, each },
        principal: {
          name,
          agent,
          permissions,
          tools,
          scope,
          allowance: allowanceOf(limits),
          hasOwnMemory: memory === 'own',
        },
      }),
    );
    this.all = entries.map(({ principal }) => principal);
    this.keys = entries.flatMap(({ keys, principal }) =>
      keys.map((hash) => ({ digest: digestIn(hash), principal })),
    );
    this.claimants = entries.flatMap(({ claims, each, principal }) =>
      claims ? [{ wanted: claims, each, principal }] : [],
    );
    this.oauth = oauth;
    this.protectedResource = oauth ? protectedResource(oauth) : null;
  }

  withKey(key: string): Principal | null {
    const given = keyDigest(key);
    let found: Principal | null = null;
    // Every key is compared, so that the time does not depend on which one matches.
    for (const { digest, principal } of this.keys) if (timingSafeEqual(digest, given)) found = principal;
    return found;
  }

  async withToken(token: string, asking: Asking): Promise<Holder> {
    if (looksLikeKey(token)) throw new InvalidTokenError('malformed', KEY_UNKNOWN);
    const claims = await (await this.openVerifier()).claimsOf(token, asking);
    const owner = this.claimants.find(({ wanted }) => matchesClaims(wanted, claims));
    const principal = owner ? memberOf(owner, claims) : null;
    if (!principal) throw new NoPrincipalError(this.askedIn(claims));
    return { principal, scopes: scopesOf(claims) };
  }

  /** The claims of a token that decide who owns it. */
  private askedIn(claims: Claims): Claims {
    const names = this.claimants.flatMap(({ wanted, each = [] }) => [Object.keys(wanted), each].flat());
    return Object.fromEntries(names.map((name) => [name, claimAt(claims, name)]));
  }

  /** The library for tokens is loaded for the first one. */
  private openVerifier(): Promise<TokenVerifier> {
    const { oauth } = this;
    if (!oauth) throw new Error('no tokens are accepted');
    this.verifier ??= import('./oauth/token-verifier.js')
      .then(({ TokenVerifier: Verifier }) => new Verifier(oauth, SYSTEM_CLOCK))
      .catch((error: unknown) => {
        // The next token tries again: a secret that could not be read may be there.
        this.verifier = null;
        throw error;
      });
    return this.verifier;
  }
}

/** The part `oauth` as clients see it, with the scopes that each tool needs. */
export function protectedResource({ resource, issuers, scopes }: OAuth): ProtectedResource {
  const entries = Object.entries(scopes);
  const needs = (patterns: readonly string[], tool: string | null): boolean =>
    patterns.some((pattern) => pattern === '*' || (tool !== null && matchesPattern(pattern, tool)));
  return {
    resource,
    issuers: issuers.map(({ issuer }) => issuer),
    scopes: entries.map(([scope]) => scope),
    needed: (tool) => entries.flatMap(([scope, patterns]) => (needs(patterns, tool) ? [scope] : [])),
  };
}
