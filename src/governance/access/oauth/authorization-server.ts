import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { IssuerUnavailableError } from '../../../mcp/access-tokens.js';
import { boundedText } from '../../../text/bounded-text.js';
import { isSafeUrl, type Issuer } from './oauth-file.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;

/** Errors never quote the reply, because they are logged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON object at an address of an authorization server: at most 5 s and 256 KB, no redirects. @throws Error for any other reply */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { body, status } = await fetch(url, { ...init, redirect: 'error', signal });
  const text = await boundedText(
    body,
    MAX_BYTES,
    () => new Error(`${url} answered more than ${MAX_BYTES} bytes`),
  );
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  const json = parsed(text);
  if (typeof json !== 'object' || json === null) throw new Error(`${url} did not answer a JSON object`);
  return json as Record<string, unknown>;
}

/** How long a value is used before it is read again (ms). */
const FRESH_MS = 600_000;
/** How long the last value is used if it can't be read again (ms). */
const STALE_MS = 3_600_000;
/** After a read that failed, the next one waits this long (ms). */
const PAUSE_MS = 2_000;
/** Number of reads within `WINDOW_MS`: whoever sends unknown key ids must not make us ask all the time. */
const MAX_READS = 6;
const WINDOW_MS = 60_000;

/** A value of another server that is read when it is needed. If that server is down, the last value is used for an hour. */
export class Refreshed<T> {
  private value: { readonly current: T; readonly readAt: number } | null = null;
  private reading: Promise<T> | null = null;
  /** Times of the last reads. */
  private readAts: number[] = [];
  private failure: unknown = null;

  /** @param now  as `steadyNow` */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number,
  ) {}

  /** @throws what reading throws, or threw just before, if there is no value that may be used */
  async get(): Promise<T> {
    const age = this.value === null ? Infinity : this.now() - this.value.readAt;
    if (this.value === null || age > STALE_MS) return this.again();
    if (age > FRESH_MS) this.again().catch(() => undefined);
    return this.value.current;
  }

  /** Reads the value again. @returns null if that was done too often, or failed just before */
  async renew(): Promise<T | null> {
    return this.reading ?? (this.mayTry() ? this.again() : null);
  }

  private mayTry(): boolean {
    const now = this.now();
    const recent = this.readAts.filter((at) => now - at < WINDOW_MS);
    const waits = this.failure !== null && now - (recent.at(-1) ?? -Infinity) < PAUSE_MS;
    return recent.length < MAX_READS && !waits;
  }

  private again(): Promise<T> {
    if (this.reading) return this.reading;
    if (!this.mayTry()) return Promise.reject((this.failure ?? new Error('asked too often')) as Error);
    this.readAts = [...this.readAts, this.now()].slice(-MAX_READS);
    this.reading = this.read().then(
      (current) => {
        this.value = { current, readAt: this.now() };
        this.failure = null;
        this.reading = null;
        return current;
      },
      (error: unknown) => {
        this.failure = error;
        this.reading = null;
        throw error;
      },
    );
    return this.reading;
  }
}

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
