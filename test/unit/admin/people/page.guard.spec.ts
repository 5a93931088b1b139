import type { ExecutionContext } from '@nestjs/common';
import type { AdminFailure } from '../../../../src/admin/admin-failure.js';
import { PageGuard } from '../../../../src/admin/people/page.guard.js';
import { parseConfig } from '../../../../src/config/config.js';
import { Credentials } from '../../../../src/mcp/http/credentials.js';
import { NO_PRINCIPALS, principalOf } from '../../../../src/mcp/principals.js';
import { keysOf, principals } from '../../../support/access.js';

const TOKEN = 'the-token-of-all-callers';
const KEYS = keysOf('ada', 'bo');
const PRINCIPALS = principals({ ada: { keys: [KEYS.ada], groups: ['hr'] }, bo: { keys: [KEYS.bo] } });

interface Sent {
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly method?: string;
  readonly address?: string;
}

function guardWith(env: Record<string, string> = {}, all = NO_PRINCIPALS): PageGuard {
  const { http, admin, scope } = parseConfig(env);
  return new PageGuard(http, new Credentials(http, admin, all, scope));
}

/** Sends a request; its response is never over. */
function open(
  guard: PageGuard,
  { headers = {}, path = '/', method = 'GET', address = '127.0.0.1' }: Sent = {},
) {
  const set = new Map<string, string>();
  const socket = { remoteAddress: address, once: () => undefined };
  const request = { method, path, headers: { host: 'localhost:1', ...headers }, socket };
  const response = {
    setHeader: (name: string, value: string) => void set.set(name, value),
    removeHeader: (name: string) => void set.delete(name),
    once: () => undefined,
  };
  const http = { getRequest: () => request, getResponse: () => response };
  const context = { switchToHttp: () => http } as unknown as ExecutionContext;
  try {
    guard.canActivate(context);
    return { set, status: 200, principal: principalOf(request) };
  } catch (error) {
    const { status, name, hint } = error as AdminFailure;
    return { set, status, name, hint };
  }
}

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`me:${password}`).toString('base64')}`,
});

describe('PageGuard', () => {
  it('answers everybody where the tools are open to everybody', () => {
    expect(open(guardWith()).principal?.name).toBe('local');
    expect(open(guardWith(), { headers: basic('wrong') }).principal?.name).toBe('local');
  });

  it('asks for a key at /sign-in, also on an open server, but not where nobody has one', () => {
    const guard = guardWith({ PITH_ADMIN_TOKEN: 'the-operators-token' });
    const { status, set } = open(guard, { path: '/sign-in' });
    expect({ status, asked: set.get('WWW-Authenticate') }).toEqual({
      status: 401,
      asked: 'Basic realm="Pith", charset="UTF-8"',
    });
    expect(open(guardWith(), { path: '/sign-in' }).status).toBe(200);
  });

  it('asks nobody for a key if all callers have access tokens, and says where agents connect', () => {
    const resource = 'https://docs.harbour.example/mcp';
    const oauth = { resource, issuers: [], scopes: [], needed: () => [] };
    const all = Object.assign(Object.create(NO_PRINCIPALS), { areRequired: true, protectedResource: oauth });
    const { status, set, hint } = open(guardWith({}, all), { headers: basic('x') });
    expect({ status, asked: set.get('WWW-Authenticate') }).toEqual({ status: 403, asked: undefined });
    expect(hint).toContain(resource);
    expect(open(guardWith({ PITH_SEARCH_PAGE: 'public' }, all), { path: '/sign-in' }).status).toBe(200);
  });

  it.each([
    [{ PITH_HTTP_TOKEN: TOKEN }, basic(TOKEN), 'bearer'],
    [{ PITH_HTTP_TOKEN: TOKEN }, { authorization: `Bearer ${TOKEN}` }, 'bearer'],
    [
      { PITH_HTTP_TOKEN: TOKEN, PITH_ADMIN_TOKEN: 'the-operators-token' },
      basic('the-operators-token'),
      'operator',
    ],
  ])('with %j knows the sender of %j', (env, headers, name) => {
    expect(open(guardWith(env), { headers }).principal?.name).toBe(name);
  });

  it.each<Record<string, string>>([{}, basic('wrong'), { authorization: 'Digest x' }, basic('')])(
    'asks the sender of %j for a key where tools need one',
    (headers) => {
      expect(open(guardWith({ PITH_HTTP_TOKEN: TOKEN }), { headers }).status).toBe(401);
    },
  );

  it('knows principals by their keys', () => {
    expect(open(guardWith({}, PRINCIPALS), { headers: basic(KEYS.ada) }).principal?.name).toBe('ada');
    expect(open(guardWith({}, PRINCIPALS)).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
  ])('refuses %j', (headers) => {
    expect(open(guardWith(), { headers }).status).toBe(403);
  });

  it('lets links from other sites lead here', () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(open(guardWith(), { headers }).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', (method) => {
    const { status, set } = open(guardWith(), { method });
    expect({ status, allow: set.get('Allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });

  it('allows no frame, no cache and no script, before anything is answered', () => {
    const { set } = open(guardWith({ PITH_HTTP_TOKEN: TOKEN }));
    expect(set.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(set.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(set.get('Content-Security-Policy')).not.toContain('script-src');
    expect(set.get('Cache-Control')).toBe('no-store');
  });
});

describe('PageGuard of a public page', () => {
  const PUBLIC = { PITH_SEARCH_PAGE: 'public', PITH_HTTP_TOKEN: TOKEN };

  it('shows visitors what has no groups, and the tags of the setting', () => {
    const { principal } = open(guardWith({ ...PUBLIC, PITH_PUBLIC_DOC_TAGS: 'manual' }));
    expect(principal).toMatchObject({
      name: 'visitor',
      permissions: ['read'],
      scope: { groups: [], doc_tags: ['manual'] },
    });
  });

  it('has visitors also without a token, which the start refuses', () => {
    const guard = guardWith({ PITH_SEARCH_PAGE: 'public', PITH_PUBLIC_PER_MINUTE: '1' });
    expect(open(guard).principal?.name).toBe('visitor');
    expect(open(guard).name).toBe('BudgetExceededError');
  });

  it('never shows them the groups of callers without keys', () => {
    expect(open(guardWith({ ...PUBLIC, PITH_GROUPS: '*' })).principal?.scope).toEqual({ groups: [] });
  });

  it('knows who signs in, and asks again after a wrong key', () => {
    expect(open(guardWith(PUBLIC), { headers: basic(TOKEN) }).principal?.name).toBe('bearer');
    expect(open(guardWith(PUBLIC), { headers: basic('wrong') }).status).toBe(401);
    expect(open(guardWith(PUBLIC), { path: '/sign-in' }).status).toBe(401);
  });

  it('counts the calls of visitors by address, and by network for IPv6', () => {
    const guard = guardWith({ PITH_SEARCH_PAGE: 'public', PITH_HTTP_TOKEN: TOKEN });
    const counted = (address: string) => open(guard, { address }).principal?.allowance.countedAs;
    const [first, second, third, fourth] = ['10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2'].map(
      counted,
    );
    expect(new Set([first, second, third]).size).toBe(3);
    expect(third).toBe(fourth);
  });

  it('has a limit by address, and by network for IPv6', () => {
    const guard = guardWith({ ...PUBLIC, PITH_PUBLIC_PER_MINUTE: '2' });
    const statuses = (address: string) => open(guard, { address }).name ?? 'answered';
    expect(['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2'].map(statuses)).toEqual([
      'answered',
      'answered',
      'BudgetExceededError',
      'answered',
    ]);
    expect(['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::1', '2001:db8:0:1::1'].map(statuses)).toEqual([
      'answered',
      'answered',
      'BudgetExceededError',
      'answered',
    ]);
  });
});
