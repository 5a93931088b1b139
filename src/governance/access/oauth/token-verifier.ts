import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { Clock } from '../../../core/turns/clock.js';
import {
  type Asking,
  InvalidTokenError,
  IssuerUnavailableError,
  type TokenFault,
} from '../../../mcp/access-tokens.js';
import { AuthorizationServer } from './authorization-server.js';
import { checkClaims, type Claims, expired, forOthers, notYetValid } from './check-claims.js';
import { Introspection } from './introspection.js';
import type { OAuth } from './oauth-file.js';

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
