import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AdminGuard, Admits, ChangesSomething } from '../../../src/admin/admin.guard.js';
import type { AdminFailure } from '../../../src/admin/admin-failure.js';
import { ScopeConfig } from '../../../src/config/settings/scope.config.js';
import { Credentials } from '../../../src/mcp/http/credentials.js';
import { type ProjectServer, ProjectServers } from '../../../src/mcp/http/project-servers.js';
import { principalOf } from '../../../src/mcp/principals.js';
import { keysOf, principals } from '../../support/access.js';
import { serverFacts } from '../../support/admin-parts.js';

const TOKEN = 'the-operators-token';
const BEARER = { authorization: `Bearer ${TOKEN}` };
const BASIC = { authorization: `Basic ${Buffer.from(`me:${TOKEN}`).toString('base64')}` };

interface Asked {
  readonly headers?: Record<string, string>;
  readonly address?: string;
  readonly method?: string;
  readonly env?: Record<string, string>;
  /** The route; by default one for operators. */
  readonly handler?: () => void;
}

class Handlers {
  @ChangesSomething()
  change(): void {}
}

const readStatus = (): void => undefined;

const KEYS = keysOf('ada', 'grace', 'agent', 'pia');
const PRINCIPALS = principals({
  ada: { keys: [KEYS.ada], permissions: ['operator'] },
  grace: { keys: [KEYS.grace], permissions: ['approve'] },
  agent: { keys: [KEYS.agent] },
  pia: { keys: [KEYS.pia], permissions: ['operator', 'approve'], scope: { project_id: 'pilots' } },
});

const SERVER = {} as ProjectServer;
const PROJECTS = new ProjectServers(SERVER, new Map([['pilots', SERVER]]));

/** Makes one request and returns its answer. */
function ask(asked: Asked, guard = guardOf(asked.env)) {
  const { headers = {}, address = '127.0.0.1', method = 'GET' } = asked;
  const sent = new Map<string, string>();
  const request = {
    method,
    headers: { host: 'localhost:1', ...headers },
    socket: { remoteAddress: address },
  };
  const response = {
    setHeader: (name: string, value: string) => void sent.set(name.toLowerCase(), value),
    removeHeader: (name: string) => void sent.delete(name.toLowerCase()),
  };
  const http = { getRequest: () => request, getResponse: () => response };
  const context = {
    switchToHttp: () => http,
    getHandler: () => asked.handler ?? readStatus,
    getClass: () => AdminGuard,
  } as unknown as ExecutionContext;
  try {
    const status = guard.canActivate(context) ? 200 : 0;
    return { sent, status, operator: principalOf(request).name };
  } catch (error) {
    const { status, message, hint } = error as AdminFailure;
    return { sent, status: Number(status), message, hint };
  }
}

function guardOf(env: Record<string, string> = {}): AdminGuard {
  const server = serverFacts({ PITH_ADMIN_TOKEN: TOKEN, ...env });
  const { http, admin } = server.config;
  return new AdminGuard(
    server,
    new Credentials(http, admin, PRINCIPALS, new ScopeConfig()),
    PROJECTS,
    new Reflector(),
  );
}

describe('AdminGuard', () => {
  it.each([BEARER, BASIC])('accepts the token: %j', (headers) => {
    expect(ask({ headers }).status).toBe(200);
  });

  it.each<Record<string, string>>([
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: TOKEN },
    { authorization: `Basic ${Buffer.from(`${TOKEN}:`).toString('base64')}` },
  ])('asks for the token if the headers are %j', (headers) => {
    const { status, sent } = ask({ headers });
    expect(status).toBe(401);
    expect(sent.get('www-authenticate')).toBe('Basic realm="Pith", charset="UTF-8"');
  });

  it('rejects the token of /mcp', () => {
    const env = { PITH_HTTP_TOKEN: 'the-token-of-mcp-callers' };
    expect(ask({ headers: { authorization: 'Bearer the-token-of-mcp-callers' }, env }).status).toBe(403);
  });

  it('rejects every token if none is configured', () => {
    expect(ask({ headers: { authorization: 'Bearer ' }, env: { PITH_ADMIN_TOKEN: '' } }).status).toBe(401);
    expect(ask({ headers: { authorization: 'Basic Og==' }, env: { PITH_ADMIN_TOKEN: '' } }).status).toBe(401);
  });

  it('knows the operator by name', () => {
    const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
    expect(ask(bearer(KEYS.ada))).toMatchObject({ status: 200, operator: 'ada' });
    expect(ask(bearer(TOKEN))).toMatchObject({ status: 200, operator: 'operator' });
    const basic = Buffer.from(`me:${KEYS.ada}`).toString('base64');
    expect(ask({ headers: { authorization: `Basic ${basic}` } })).toMatchObject({ operator: 'ada' });
  });

  it('accepts keys of operators without an admin token', () => {
    const env = { PITH_ADMIN_TOKEN: '' };
    expect(ask({ headers: { authorization: `Bearer ${KEYS.ada}` }, env }).status).toBe(200);
  });

  it('rejects keys without the permission', () => {
    expect(ask({ headers: { authorization: `Bearer ${KEYS.agent}` } }).status).toBe(403);
    expect(ask({ headers: { authorization: `Bearer ${KEYS.grace}` } }).status).toBe(403);
  });

  it('rejects operators of another project everywhere', () => {
    const handler = (): void => undefined;
    Admits(['approve', 'operator'])(handler);
    const pia = ask({ headers: { authorization: `Bearer ${KEYS.pia}` }, handler });
    expect(pia).toMatchObject({ status: 403, message: expect.stringContaining('another project') });
  });

  it('accepts another permission where a route admits it', () => {
    const handler = (): void => undefined;
    Admits(['approve'])(handler);
    expect(ask({ headers: { authorization: `Bearer ${KEYS.grace}` }, handler })).toMatchObject({
      status: 200,
      operator: 'grace',
    });
    expect(ask({ headers: { authorization: `Bearer ${KEYS.ada}` }, handler }).status).toBe(403);
  });

  it('rejects other machines and proxies before it checks the token', () => {
    expect(ask({ headers: BEARER, address: '10.0.0.1' }).status).toBe(403);
    expect(ask({ headers: { ...BEARER, 'x-forwarded-for': '127.0.0.1' } }).status).toBe(403);
    expect(ask({ headers: { ...BEARER, forwarded: 'for=127.0.0.1' } }).status).toBe(403);
  });

  it('accepts other machines and proxies with PITH_ADMIN_REMOTE and the token', () => {
    const env = { PITH_ADMIN_REMOTE: '1' };
    expect(ask({ headers: BEARER, address: '10.0.0.1', env }).status).toBe(200);
    expect(ask({ headers: { ...BEARER, 'x-forwarded-for': '10.0.0.1' }, env }).status).toBe(200);
    expect(ask({ address: '10.0.0.1', env }).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: '' },
  ])('rejects the Host name %j', (headers) => {
    const hint = expect.stringContaining('PITH_HTTP_ALLOWED_HOSTS');
    expect(ask({ headers: { ...BEARER, ...headers } })).toMatchObject({ status: 403, hint });
  });

  it.each(['http://evil.example', 'null'])('rejects the Origin %s, and says so', (origin) => {
    expect(ask({ headers: { ...BEARER, origin } })).toMatchObject({
      status: 403,
      message: expect.stringContaining('Origin'),
      hint: expect.stringContaining('PITH_HTTP_ALLOWED_ORIGINS'),
    });
  });

  it('accepts the names in PITH_HTTP_ALLOWED_HOSTS', () => {
    const headers = { ...BEARER, host: 'pith.example:443' };
    expect(ask({ headers, env: { PITH_HTTP_ALLOWED_HOSTS: 'pith.example' } }).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('rejects %s', (method) => {
    const { status, sent } = ask({ headers: BEARER, method });
    expect({ status, allow: sent.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });

  it('accepts POST for handlers that are marked for it, and only with the token', () => {
    const handler = Handlers.prototype.change;
    expect(ask({ headers: BEARER, method: 'POST', handler }).status).toBe(200);
    expect(ask({ method: 'POST', handler }).status).toBe(401);
  });

  it('throttles an address after ten wrong tokens', () => {
    const guard = guardOf();
    const wrong = { headers: { authorization: 'Bearer wrong' } };
    for (let i = 0; i < 10; i++) ask(wrong, guard);
    const { status, message } = ask(wrong, guard);
    expect({ status, message }).toEqual({
      status: 429,
      message: 'Too many wrong keys, tokens or signatures. Try again in 6 s.',
    });
  });

  it('accepts the token from a throttled address if it was right there before', () => {
    const guard = guardOf();
    const wrong = { headers: { authorization: 'Bearer wrong' } };
    expect(ask({ headers: BEARER }, guard).status).toBe(200);
    for (let i = 0; i < 30; i++) ask(wrong, guard);
    expect(ask({ headers: BEARER }, guard).status).toBe(200);
    const address = '10.0.0.9';
    const env = { PITH_ADMIN_REMOTE: '1' };
    const remote = guardOf(env);
    expect(ask({ headers: BEARER }, remote).status).toBe(200);
    for (let i = 0; i < 30; i++) ask({ ...wrong, address }, remote);
    expect(ask({ headers: BEARER, address }, remote).status).toBe(429);
    expect(ask({ headers: BEARER }, remote).status).toBe(200);
  });

  it('does not count requests without a token, which browsers send first', () => {
    const guard = guardOf();
    for (let i = 0; i < 50; i++) ask({}, guard);
    expect(ask({ headers: BEARER }, guard).status).toBe(200);
  });

  it.each([{ headers: BEARER }, {}, { address: '10.0.0.1' }])(
    'forbids framing, caching and foreign content: %j',
    (asked) => {
      const { sent } = ask(asked);
      const policy = sent.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src data:;/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(sent)).toMatchObject({
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    },
  );
});
