import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from 'jose';
import { z } from 'zod';
import { resolveReferences } from '../../../config/secret-reference.js';
import type { Clock } from '../../../core/turns/clock.js';
import {
  type Asking,
  InvalidTokenError,
  IssuerUnavailableError,
  type TokenFault,
} from '../../../mcp/access-tokens.js';
import { Semaphore } from '../../../mcp/semaphore.js';
import { AuthorizationServer, fetchJson } from './authorization-server.js';
import { checkClaims, type Claims, expired, forOthers, notYetValid } from './check-claims.js';
import type { Issuer, OAuth } from './oauth-file.js';

/** How long an answer is used: a token that was revoked is refused after at most this time (ms). */
const CACHE_MS = 10_000;
/** Number of tokens that are remembered because they were active. */
const MAX_TOKENS = 10_000;
const AT_ONCE = 32;
const MAX_WAITING = 1_000;

/** Conditions for every introspected token. */
export interface TokenTerms extends Clock {
  readonly audiences: readonly string[];
  /** Allowed difference of clocks. */
  readonly toleranceMs: number;
}

/** An answer about an active token (RFC 7662 §2.2). */
const activeSchema = z.looseObject({
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number().optional(),
  nbf: z.number().optional(),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
});

interface Answer {
  readonly claims: Claims;
  readonly until: number;
}

const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);

/** Name and secret of the client as RFC 6749 §2.3.1 sends them. @throws InvalidConfigurationError */
function authorizationOf(client: Issuer['introspection']): string {
  const { client_id = '', client_secret = '' } = client ?? {};
  const { client_secret: secret = '' } = resolveReferences({ client_secret }, 'introspection');
  return `Basic ${Buffer.from(`${formEncoded(client_id)}:${formEncoded(secret)}`).toString('base64')}`;
}

/** Asks an authorization server about tokens, and remembers those that are active for ten seconds. */
export class Introspection {
  private readonly active = new Map<string, Answer>();
  private readonly slots = new Semaphore(AT_ONCE, MAX_WAITING);
  private readonly authorization: string;

  /** @throws InvalidConfigurationError if the client's secret can't be read */
  constructor(
    private readonly server: AuthorizationServer,
    private readonly terms: TokenTerms,
  ) {
    this.authorization = authorizationOf(server.settings.introspection);
  }

  /** The claims of a token that is active. @throws InvalidTokenError, IssuerUnavailableError, what `asking` throws */
  async claimsOf(token: string, asking: Asking): Promise<Claims> {
    const digest = createHash('sha256').update(token).digest('base64url');
    const known = this.active.get(digest);
    if (known && known.until > this.terms.steady()) return this.checked(known.claims);
    // A token that was active before is no guess: its sender does not wait for those who guess.
    const claims = await (known ? this.introspect(token) : asking(() => this.introspect(token)));
    this.active.delete(digest);
    if (claims['active'] !== true)
      throw new InvalidTokenError(
        known ? 'no_longer_active' : 'inactive',
        'The token is not active: it is unknown, has expired or was revoked.',
      );
    this.remember(digest, claims);
    return this.checked(claims);
  }

  private remember(digest: string, claims: Claims): void {
    const [oldest] = this.active.keys();
    if (this.active.size >= MAX_TOKENS && oldest !== undefined) this.active.delete(oldest);
    this.active.set(digest, { claims, until: this.terms.steady() + CACHE_MS });
  }

  /** @throws InvalidTokenError for a token of another issuer, for another server or at another time */
  private checked(claims: Claims): Claims {
    const { issuer } = this.server.settings;
    const { audiences, toleranceMs, now } = this.terms;
    const { success, data } = activeSchema.safeParse(claims);
    if (!success) throw claims['aud'] === undefined ? forOthers(audiences) : wrongToken();
    const { iss = issuer, aud, exp = Infinity, nbf = -Infinity } = data;
    if (iss !== issuer) throw wrongToken();
    if (![aud].flat().some((audience) => audiences.includes(audience))) throw forOthers(audiences);
    if (exp * 1_000 + toleranceMs <= now()) throw expired();
    if (nbf * 1_000 - toleranceMs > now()) throw notYetValid();
    return { ...claims, iss };
  }

  private async introspect(token: string): Promise<Claims> {
    const endpoint = await this.server.introspectionEndpoint();
    const leave = await this.slots.enter();
    if (!leave) throw this.server.unavailable(new Error('too many tokens wait to be introspected'));
    try {
      return await fetchJson(endpoint, {
        method: 'POST',
        headers: {
          authorization: this.authorization,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      });
    } catch (error) {
      throw this.server.unavailable(error);
    } finally {
      leave();
    }
  }
}

const wrongToken = (): InvalidTokenError =>
  new InvalidTokenError(
    'wrong_claim',
    'The issuer says something of the token that is not right for an access token.',
  );

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Types of access tokens: RFC 9068, and what servers from before it write. ID tokens are refused by their claims. */
const TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** Claims of ID tokens, which are for clients. */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash'];
/** The characters of a bearer token (RFC 6750 §2.1). */
const B64_TOKEN = /^[\w.~+/-]+=*$/;

const wrong = (fault: TokenFault, message: string): InvalidTokenError =>
  new InvalidTokenError(fault, message);

/** The fault of a token; null if the error is not about the token. */
function faultOf(error: unknown, audiences: readonly string[]): InvalidTokenError | null {
  if (error instanceof errors.JWTExpired) return expired();
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error.claim, audiences);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return wrong('wrong_algorithm', 'The token is signed with an algorithm that is not accepted.');
  if (error instanceof errors.JOSEError)
    return wrong('wrong_signature', 'The signature of the token is not one of its issuer.');
  return null;
}

function wrongClaim(claim: string, audiences: readonly string[]): InvalidTokenError {
  if (claim === 'aud') return forOthers(audiences);
  if (claim === 'nbf') return notYetValid();
  if (claim === 'exp') return wrong('wrong_claim', 'The token has no time at which it expires.');
  return wrong('wrong_claim', `The claim ${claim} of the token is wrong.`);
}

/** Checks access tokens: JWTs by the keys of their issuer, others by introspection. */
export class TokenVerifier {
  private readonly servers: ReadonlyMap<string, AuthorizationServer>;
  private readonly introspection: Introspection | null;
  private readonly audiences: string[];
  private readonly toleranceS: number;

  /** @throws InvalidConfigurationError if a secret can't be read */
  constructor(
    { issuers, audiences, resource, clock_tolerance_s }: OAuth,
    private readonly clock: Clock,
  ) {
    this.audiences = audiences ?? [resource];
    this.toleranceS = clock_tolerance_s;
    const servers = issuers.map((issuer) => new AuthorizationServer(issuer, clock.steady));
    this.servers = new Map(servers.map((server) => [server.settings.issuer, server]));
    const asked = servers.find(({ settings }) => settings.introspection);
    const terms = { audiences: this.audiences, toleranceMs: this.toleranceS * 1_000, ...clock };
    this.introspection = asked ? new Introspection(asked, terms) : null;
  }

  /**
   * The claims of a valid token.
   * @param asking  lets a sender wait before a server is asked about the token itself
   * @throws InvalidTokenError, IssuerUnavailableError, what `asking` throws
   */
  async claimsOf(token: string, asking: Asking): Promise<Claims> {
    const claims = JWT.test(token) ? await this.verified(token) : await this.introspected(token, asking);
    checkClaims(claims, this.clock.now() + this.toleranceS * 1_000);
    if (claims['cnf'] !== undefined)
      throw wrong(
        'bound_to_key',
        'The token is bound to a key of its client (DPoP or mTLS). Send a bearer token.',
      );
    if (OF_ID_TOKENS.some((claim) => claims[claim] !== undefined))
      throw wrong('wrong_claim', 'This is an ID token, which is for the client. Send an access token.');
    return claims;
  }

  private async verified(token: string): Promise<Claims> {
    const server = this.serverOf(token);
    const options: JWTVerifyOptions = {
      issuer: server.settings.issuer,
      audience: this.audiences,
      algorithms: server.settings.algorithms,
      clockTolerance: this.toleranceS,
      currentDate: new Date(this.clock.now()),
      requiredClaims: ['exp'],
    };
    try {
      return (await jwtVerify(token, server.keyFor, options)).payload;
    } catch (error) {
      if (error instanceof IssuerUnavailableError) throw error;
      if (error instanceof errors.JWKSMultipleMatchingKeys) return this.verifiedByOne(token, error, options);
      throw faultOf(error, this.audiences) ?? server.unavailable(error);
    }
  }

  /** Verifies a token that does not name its key. */
  private async verifiedByOne(
    token: string,
    keys: errors.JWKSMultipleMatchingKeys,
    options: JWTVerifyOptions,
  ): Promise<Claims> {
    let failure: unknown = keys;
    for await (const key of keys) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        failure = error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
      }
    }
    throw faultOf(failure, this.audiences) ?? failure;
  }

  /** Reads the unverified issuer and type. */
  private serverOf(token: string): AuthorizationServer {
    let issuer: string | undefined;
    let type: string | undefined;
    try {
      issuer = decodeJwt(token).iss;
      type = decodeProtectedHeader(token).typ?.toLowerCase();
    } catch {
      throw wrong('malformed', 'The token is not a JSON Web Token.');
    }
    const server = this.servers.get(issuer ?? '');
    if (!server)
      throw wrong('unknown_issuer', 'The token is from an issuer that this server does not trust.');
    if (!TYPES.includes(type)) throw wrong('wrong_type', 'The token is not an access token.');
    return server;
  }

  private async introspected(token: string, asking: Asking): Promise<Claims> {
    if (this.introspection && B64_TOKEN.test(token)) return this.introspection.claimsOf(token, asking);
    throw wrong('malformed', 'The token is neither a key of this server nor a JSON Web Token.');
  }
}
