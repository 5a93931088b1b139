import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { IssuerUnavailableError } from '../../../mcp/access-tokens.js';
import { fetchJson } from './fetch-json.js';
import { isSafeUrl, type Issuer } from './oauth-file.js';
import { Refreshed } from './refreshed.js';

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

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** An authorization server: its metadata and keys, which are read when they are needed. */
export class AuthorizationServer {
  private readonly metadata: Refreshed<Metadata>;
  private readonly keys: Refreshed<KeySet>;

  /** @param now  as `steadyNow` */
  constructor(
    readonly settings: Issuer,
    now: () => number,
  ) {
    this.metadata = new Refreshed(() => readMetadata(settings.issuer), now);
    this.keys = new Refreshed(() => this.readKeys(), now);
  }

  /** Finds the key of a token. An unknown key makes us read the keys again. @throws IssuerUnavailableError */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    const known = await this.orUnavailable(this.keys.get());
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const renewed = await this.orUnavailable(this.keys.renew());
      if (!renewed) throw error;
      return renewed(header, token);
    }
  };

  /** Where tokens are introspected. Only the file can name an address at another origin. @throws IssuerUnavailableError */
  async introspectionEndpoint(): Promise<string> {
    const { issuer, introspection } = this.settings;
    if (introspection?.endpoint !== undefined) return introspection.endpoint;
    const endpoint = addressIn(await this.orUnavailable(this.metadata.get()), 'introspection_endpoint');
    if (endpoint !== null && new URL(endpoint).origin === new URL(issuer).origin) return endpoint;
    throw this.unavailable(
      new Error('its metadata has no introspection_endpoint at the origin of the issuer'),
    );
  }

  unavailable(cause: unknown): IssuerUnavailableError {
    return new IssuerUnavailableError(this.settings.issuer, { cause });
  }

  private async readKeys(): Promise<KeySet> {
    const uri = this.settings.jwks_uri ?? addressIn(await this.metadata.get(), 'jwks_uri');
    if (uri === null) throw new Error('its metadata has no jwks_uri that can be used');
    return createLocalJWKSet((await fetchJson(uri)) as unknown as JSONWebKeySet);
  }

  private async orUnavailable<T>(value: Promise<T>): Promise<T> {
    try {
      return await value;
    } catch (error) {
      throw this.unavailable(error);
    }
  }
}

/** An address in the metadata. @returns null if it is missing or not safe */
function addressIn(metadata: Metadata, name: string): string | null {
  const { [name]: address } = metadata;
  return typeof address === 'string' && isSafeUrl(address) ? address : null;
}
