import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

interface SignOptions {
  readonly alg?: string;
  readonly kid?: string;
  readonly typ?: string;
  /** Default: the issuer's own. */
  readonly key?: KeyPair['privateKey'] | Uint8Array;
}

/** A local issuer of tokens for tables of refusals. The flows of OAuth are tested with a real server. */
export class TokenIssuer {
  private server: Server | null = null;
  private pair: KeyPair | null = null;
  private kid = 0;
  /** Number of requests, by path. */
  readonly asked = new Map<string, number>();
  /** Opaque tokens with what introspection says of them. */
  readonly opaque = new Map<string, Record<string, unknown>>();
  url = '';
  /** True to answer every request with 503. */
  isDown = false;

  async start(): Promise<this> {
    await this.rotate();
    this.server = createServer((request, response) => {
      const path = request.url ?? '';
      this.asked.set(path, (this.asked.get(path) ?? 0) + 1);
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        void this.answer(path, body).then((json) => {
          const status = this.isDown ? 503 : json ? 200 : 404;
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json ?? {}));
        });
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Makes a new key, in place of the one before. */
  async rotate(): Promise<void> {
    this.pair = await generateKeyPair('RS256', { extractable: true });
    this.kid++;
  }

  async publicJwk(): Promise<object> {
    if (!this.pair) throw new Error('not started');
    return { ...(await exportJWK(this.pair.publicKey)), kid: `key-${this.kid}`, use: 'sig' };
  }

  /** Signs a token. Claims that are undefined are left out. */
  sign(claims: JWTPayload, options: SignOptions = {}): Promise<string> {
    const { alg = 'RS256', kid = `key-${this.kid}`, typ = 'at+jwt', key = this.pair?.privateKey } = options;
    if (!key) throw new Error('not started');
    const payload = JSON.parse(JSON.stringify({ iss: this.url, ...claims })) as JWTPayload;
    return new SignJWT(payload).setProtectedHeader({ alg, kid, typ }).sign(key);
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  private async answer(path: string, body: string): Promise<object | null> {
    if (path === '/jwks') return { keys: [await this.publicJwk()] };
    if (path === '/introspect')
      return this.opaque.get(new URLSearchParams(body).get('token') ?? '') ?? { active: false };
    if (path !== '/.well-known/oauth-authorization-server') return null;
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/jwks`,
      introspection_endpoint: `${this.url}/introspect`,
    };
  }
}
