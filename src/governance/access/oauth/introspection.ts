import { createHash } from 'node:crypto';
import { z } from 'zod';
import { resolveReferences } from '../../../config/secret-reference.js';
import type { Clock } from '../../../core/turns/clock.js';
import { type Asking, InvalidTokenError } from '../../../mcp/access-tokens.js';
import { Semaphore } from '../../../mcp/semaphore.js';
import type { AuthorizationServer } from './authorization-server.js';
import { type Claims, expired, forOthers, notYetValid } from './check-claims.js';
import { fetchJson } from './fetch-json.js';
import type { Issuer } from './oauth-file.js';

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
    if (!success) throw claims['aud'] === undefined ? forOthers(audiences) : wrongClaim();
    const { iss = issuer, aud, exp = Infinity, nbf = -Infinity } = data;
    if (iss !== issuer) throw wrongClaim();
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

const wrongClaim = (): InvalidTokenError =>
  new InvalidTokenError(
    'wrong_claim',
    'The issuer says something of the token that is not right for an access token.',
  );
