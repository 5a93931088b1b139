import { timingSafeEqual } from 'node:crypto';
import type { Allowance } from '../../core/call.js';
import { isGroupName, MAX_CALLER_GROUPS } from '../../core/document-groups.js';
import { SYSTEM_CLOCK } from '../../core/turns/clock.js';
import {
  type Asking,
  type Holder,
  InvalidTokenError,
  KEY_UNKNOWN,
  NoPrincipalError,
  type ProtectedResource,
} from '../../mcp/access-tokens.js';
import { memberName, type Principal, type Principals, readCallerGroups } from '../../mcp/principals.js';
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
  /** The claim whose values are groups. */
  readonly groupsClaim: string | undefined;
  readonly principal: Principal;
}

const digestIn = (hash: string): Buffer => Buffer.from(hash.slice('sha256:'.length), 'hex');

/** The groups in a claim: a text or a list of texts. Values that can't be names of groups are left out. */
function groupsIn(claims: Claims, name: string): readonly string[] {
  const values = [claimAt(claims, name)].flat();
  return values.filter(isGroupName).slice(0, MAX_CALLER_GROUPS);
}

/** A principal with the groups of its token. */
function withClaimedGroups({ groupsClaim, principal }: Claimant, claims: Claims): Principal {
  const { groups } = principal.scope;
  if (groupsClaim === undefined || groups === null) return principal;
  const all = [...new Set([...(groups ?? []), ...groupsIn(claims, groupsClaim)])].sort();
  return { ...principal, scope: { ...principal.scope, groups: all } };
}

/** @returns null for a token without the claim that names its owner */
function memberOf(claimant: Claimant, claims: Claims): Principal | null {
  const { each } = claimant;
  const principal = withClaimedGroups(claimant, claims);
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
  readonly haveGroups: boolean;
  readonly protectedResource: ProtectedResource | null;
  private readonly keys: readonly StoredKey[];
  private readonly claimants: readonly Claimant[];
  private readonly oauth: OAuth | undefined;
  private verifier: Promise<TokenVerifier> | null = null;

  /** @param others  groups of callers that are not in the file */
  constructor({ principals, oauth }: Access, others: readonly string[]) {
    const ofFile = Object.values(principals).some(
      ({ groups, groups_claim }) => groups !== undefined || groups_claim !== undefined,
    );
    this.haveGroups = ofFile || others.length > 0;
    const entries = Object.entries(principals).map(
      ([
        name,
        { keys = [], claims, each, groups = [], agent = null, permissions, tools = null, scope, ...others },
      ]) => ({
        ...{ keys, claims, each, groupsClaim: others.groups_claim },
        principal: {
          name,
          agent,
          permissions,
          tools,
          scope: this.haveGroups ? { ...scope, groups: readCallerGroups(groups) } : scope,
          allowance: allowanceOf(others.limits),
          hasOwnMemory: others.memory === 'own',
        },
      }),
    );
    this.all = entries.map(({ principal }) => principal);
    this.keys = entries.flatMap(({ keys, principal }) =>
      keys.map((hash) => ({ digest: digestIn(hash), principal })),
    );
    this.claimants = entries.flatMap(({ claims, each, groupsClaim, principal }) =>
      claims ? [{ wanted: claims, each, groupsClaim, principal }] : [],
    );
    this.oauth = oauth;
    this.protectedResource = oauth ? protectedResource(oauth) : null;
  }

  get haveKeys(): boolean {
    return this.keys.length > 0;
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
