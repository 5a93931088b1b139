import { createHash } from 'node:crypto';
import { resolveReferences } from '../../../config/secret-reference.js';
import { InvalidTokenError } from '../../../mcp/access-tokens.js';
import type { AuthorizationServer } from './authorization-server.js';
import { fetchJson } from './fetch-json.js';
import type { Claims } from './match-claims.js';
import type { Issuer } from './oauth-file.js';
import { expired, forOthers, notYetValid } from './wrong-token.js';

/** How long an answer is used: a token that was revoked is refused after at most this time (ms). */
const CACHE_MS = 10_000;
const MAX_TOKENS = 10_000;

interface Answer {
  readonly claims: Promise<Claims>;
  readonly until: number;
}

const formEncoded = (text: string): string => new URLSearchParams({ a: text }).toString().slice(2);

/** Name and secret of the client as RFC 6749 §2.3.1 sends them. @throws InvalidConfigurationError */
function authorizationOf(client: Issuer['introspection']): string {
  const { client_id = '', client_secret = '' } = client ?? {};
  const { client_secret: secret = '' } = resolveReferences({ client_secret }, 'introspection');
  return `Basic ${Buffer.from(`${formEncoded(client_id)}:${formEncoded(secret)}`).toString('base64')}`;
}

/** What a token must fulfil. */
export interface TokenTerms {
  readonly audiences: readonly string[];
  /** Allowed difference of clocks. */
  readonly toleranceMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Asks an authorization server about tokens (RFC 7662), and remembers its answers for ten seconds. */
export class Introspection {
  private readonly answers = new Map<string, Answer>();
  private readonly authorization: string;

  /** @throws InvalidConfigurationError if the client's secret can't be read */
  constructor(
    private readonly server: AuthorizationServer,
    private readonly terms: TokenTerms,
  ) {
    this.authorization = authorizationOf(server.settings.introspection);
  }

  /**
   * The claims of a token that is active.
   * @param beforeAsking  called before the server is asked; may throw
   * @throws InvalidTokenError, IssuerUnavailableError
   */
  async claimsOf(token: string, beforeAsking: () => void): Promise<Claims> {
    const digest = createHash('sha256').update(token).digest('base64url');
    const known = this.answers.get(digest);
    // A token that was active before is not a guess, so its caller does not wait for those who guess.
    if (!known) beforeAsking();
    const answer = known && known.until > this.terms.now() ? known : this.ask(token, digest);
    const claims = await answer.claims;
    if (claims['active'] === true) return this.checked(claims);
    if (!known) this.answers.delete(digest);
    throw new InvalidTokenError(
      'The token is not active: it is unknown, has expired or was revoked.',
      !known,
    );
  }

  /** @throws InvalidTokenError for a token of another issuer, for another server or at another time */
  private checked(claims: Claims): Claims {
    const { issuer } = this.server.settings;
    const { audiences, toleranceMs, now } = this.terms;
    const { iss = issuer, aud, exp, nbf } = claims;
    if (iss !== issuer) throw new InvalidTokenError('The token is from another issuer.', false);
    if (![aud].flat().some((audience) => audiences.includes(String(audience)))) throw forOthers(audiences);
    if (typeof exp === 'number' && exp * 1_000 + toleranceMs <= now()) throw expired();
    if (typeof nbf === 'number' && nbf * 1_000 - toleranceMs > now()) throw notYetValid();
    return { ...claims, iss };
  }

  private ask(token: string, digest: string): Answer {
    const answer = { claims: this.introspect(token), until: this.terms.now() + CACHE_MS };
    const [oldest] = this.answers.keys();
    if (this.answers.size >= MAX_TOKENS && oldest !== undefined) this.answers.delete(oldest);
    this.answers.delete(digest);
    this.answers.set(digest, answer);
    answer.claims.catch(() => this.answers.delete(digest));
    return answer;
  }

  private async introspect(token: string): Promise<Claims> {
    const endpoint =
      this.server.settings.introspection?.endpoint ?? (await this.server.address('introspection_endpoint'));
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
    }
  }
}
