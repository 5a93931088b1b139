import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { InvalidTokenError } from '../../../mcp/access-tokens.js';
import { AuthorizationServer } from './authorization-server.js';
import { Introspection } from './introspection.js';
import type { Claims } from './match-claims.js';
import type { OAuth } from './oauth-file.js';
import { expired, forOthers, notYetValid } from './wrong-token.js';

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Types of access tokens: RFC 9068, and what servers from before it write. ID tokens are kept out by their audience. */
const TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

const forged = (message: string): InvalidTokenError => new InvalidTokenError(message, true);

/** What is wrong with a token whose signature is right. */
function wrongClaim(error: unknown, audiences: readonly string[]): InvalidTokenError | null {
  if (error instanceof errors.JWTExpired) return expired();
  if (!(error instanceof errors.JWTClaimValidationFailed)) return null;
  if (error.claim === 'aud') return forOthers(audiences);
  if (error.claim === 'nbf') return notYetValid();
  if (error.claim === 'exp')
    return new InvalidTokenError('The token has no time at which it expires.', false);
  return new InvalidTokenError(`The claim ${error.claim} of the token is wrong.`, false);
}

function untrusted(error: unknown): InvalidTokenError | null {
  if (error instanceof errors.JOSEAlgNotAllowed)
    return forged('The token is signed with an algorithm that is not accepted.');
  if (error instanceof errors.JOSEError)
    return forged('The signature of the token is not one of its issuer.');
  return null;
}

/** Checks access tokens: JWTs by the keys of their issuer, others by introspection. */
export class TokenVerifier {
  private readonly servers: ReadonlyMap<string, AuthorizationServer>;
  private readonly introspection: Introspection | null;
  private readonly audiences: string[];
  private readonly toleranceS: number;

  /** @param now  milliseconds since 1970 @throws InvalidConfigurationError if a secret can't be read */
  constructor(
    { issuers, audiences, resource, clock_tolerance_s }: OAuth,
    private readonly now: () => number,
  ) {
    this.audiences = audiences ?? [resource];
    this.toleranceS = clock_tolerance_s;
    const servers = issuers.map((issuer) => new AuthorizationServer(issuer, now));
    this.servers = new Map(servers.map((server) => [server.settings.issuer, server]));
    const asked = servers.find(({ settings }) => settings.introspection);
    const terms = { audiences: this.audiences, toleranceMs: this.toleranceS * 1_000, now };
    this.introspection = asked ? new Introspection(asked, terms) : null;
  }

  /**
   * The claims of a valid token.
   * @param beforeAsking  called before a server is asked about the token itself; may throw
   * @throws InvalidTokenError, IssuerUnavailableError
   */
  async claimsOf(token: string, beforeAsking: () => void): Promise<Claims> {
    const claims = JWT.test(token)
      ? await this.verified(token)
      : await this.introspected(token, beforeAsking);
    if (claims['cnf'] === undefined) return claims;
    throw new InvalidTokenError(
      'The token is bound to a key of its client (DPoP or mTLS). Send a bearer token.',
      false,
    );
  }

  private async verified(token: string): Promise<Claims> {
    const server = this.serverOf(token);
    try {
      const { payload } = await jwtVerify(token, server.keyFor, {
        issuer: server.settings.issuer,
        audience: this.audiences,
        algorithms: server.settings.algorithms,
        clockTolerance: this.toleranceS,
        currentDate: new Date(this.now()),
        requiredClaims: ['exp'],
      });
      return payload;
    } catch (error) {
      throw wrongClaim(error, this.audiences) ?? untrusted(error) ?? error;
    }
  }

  /** Reads the unverified issuer and type. */
  private serverOf(token: string): AuthorizationServer {
    let issuer: string | undefined;
    let type: string | undefined;
    try {
      issuer = decodeJwt(token).iss;
      type = decodeProtectedHeader(token).typ?.toLowerCase();
    } catch {
      throw forged('The token is not a JSON Web Token.');
    }
    const server = this.servers.get(issuer ?? '');
    if (!server) throw forged('The token is from an issuer that this server does not trust.');
    if (!TYPES.includes(type)) throw forged('The token is not an access token.');
    return server;
  }

  private async introspected(token: string, beforeAsking: () => void): Promise<Claims> {
    if (!this.introspection) throw forged('The token is neither a key of this server nor a JSON Web Token.');
    return this.introspection.claimsOf(token, beforeAsking);
  }
}
