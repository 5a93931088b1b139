import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { IssuerUnavailableError } from '../../../mcp/access-tokens.js';
import { fetchFromIssuer, fetchJson } from './fetch-json.js';
import type { Issuer } from './oauth-file.js';

/** How long metadata and keys are used before they are read again (ms). */
const FRESH_MS = 600_000;
/** How long a failure is remembered, so that a server that is down is not asked for every request (ms). */
const RETRY_MS = 2_000;
/** An unknown key id makes us read the keys again, once in this time (ms). */
const COOLDOWN_MS = 1_000;

type Metadata = Readonly<Record<string, unknown>>;

/** The places of an issuer's metadata, by RFC 8414 §3.1 and OpenID Connect Discovery §4. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    ...(path === '' ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

async function readMetadata(issuer: string): Promise<Metadata> {
  let failure: unknown;
  for (const url of metadataUrls(issuer)) {
    try {
      const metadata = await fetchJson(url);
      if (metadata['issuer'] === issuer) return metadata;
      failure = new Error(`${url} is the metadata of another issuer`);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** An authorization server: its metadata and keys, which are read when they are needed. */
export class AuthorizationServer {
  private metadata: Promise<Metadata> | null = null;
  private staleAt = 0;
  private keySet: { readonly uri: string; readonly keys: JWTVerifyGetKey } | null = null;

  /** @param now  milliseconds since 1970 */
  constructor(
    readonly settings: Issuer,
    private readonly now: () => number,
  ) {}

  /** Finds the key of a token. @throws IssuerUnavailableError */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    const uri = this.settings.jwks_uri ?? (await this.address('jwks_uri'));
    if (this.keySet?.uri !== uri) {
      const options = {
        cooldownDuration: COOLDOWN_MS,
        cacheMaxAge: FRESH_MS,
        [customFetch]: fetchFromIssuer,
      };
      this.keySet = { uri, keys: createRemoteJWKSet(new URL(uri), options) };
    }
    try {
      return await this.keySet.keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      throw this.unavailable(error);
    }
  };

  /** An address from the metadata. @throws IssuerUnavailableError */
  async address(name: 'jwks_uri' | 'introspection_endpoint'): Promise<string> {
    const { [name]: address } = await this.ownMetadata();
    if (typeof address === 'string' && URL.canParse(address)) return address;
    throw this.unavailable(new Error(`its metadata has no ${name}`));
  }

  unavailable(cause: unknown): IssuerUnavailableError {
    return new IssuerUnavailableError(this.settings.issuer, { cause });
  }

  private async ownMetadata(): Promise<Metadata> {
    if (!this.metadata || this.now() >= this.staleAt) {
      this.staleAt = this.now() + FRESH_MS;
      this.metadata = readMetadata(this.settings.issuer);
    }
    try {
      return await this.metadata;
    } catch (error) {
      this.staleAt = Math.min(this.staleAt, this.now() + RETRY_MS);
      throw this.unavailable(error);
    }
  }
}
