import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';

const REDIRECT = 'http://127.0.0.1:9/callback';

/** The ways in which an authorization server can know a client. */
export type Registration = 'registered before' | 'registers itself' | 'named by its address';

/** Follows the redirects of a sign-in as a browser does. @returns the parameters that come back to the client */
export async function signIn(url: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = url;
  for (let i = 0; i < 10; i++) {
    if (at.href.startsWith(REDIRECT)) return at.searchParams;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`no redirect: ${reply.status} ${await reply.text()}`);
    at = new URL(location, at);
  }
  throw new Error('too many redirects');
}

/** What a host keeps for its user: client, tokens and the proof key. */
export class OAuthUser {
  /** Addresses that the user was sent to. */
  readonly visited: URL[] = [];
  private readonly kept: Record<string, unknown> = {};

  constructor(private readonly registration: Registration) {}

  /** The provider that both SDKs take. */
  get provider(): OAuthClientProvider {
    const { kept, registration, visited } = this;
    const before = registration === 'registered before';
    const own: Partial<OAuthClientProvider> = {
      redirectUrl: REDIRECT,
      clientMetadata: {
        client_name: 'Desk',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      state: () => randomBytes(16).toString('hex'),
      clientInformation: () =>
        (kept['client'] ??
          (before ? { client_id: 'registered', client_secret: 'secret' } : undefined)) as never,
      saveClientInformation: (client) => void (kept['client'] = client),
      tokens: () => kept['tokens'] as never,
      saveTokens: (tokens) => void (kept['tokens'] = tokens),
      redirectToAuthorization: (url) => void visited.push(url),
      saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
      codeVerifier: () => String(kept['verifier']),
      saveDiscoveryState: (state) => void (kept['discovery'] = state),
      discoveryState: () => kept['discovery'] as never,
    };
    if (registration === 'named by its address') own.clientMetadataUrl = 'https://desk.example/client.json';
    return own as OAuthClientProvider;
  }

  get clientId(): string {
    return String((this.kept['client'] as { client_id?: string } | undefined)?.client_id);
  }

  get accessToken(): string {
    return String((this.kept['tokens'] as { access_token?: string } | undefined)?.access_token);
  }
}
