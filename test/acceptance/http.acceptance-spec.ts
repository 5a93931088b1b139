import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { connectClient, type Era, type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { type Finished, pithIndex, poll, runAll, timed } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const TOKEN = 'a-token-of-more-than-sixteen-characters';
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const SEARCH = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
  params: { name: 'kb.search', arguments: { query: 'leave the waiting list' } },
});
const ERAS: Era[] = ['v1', 'v2'];

let open: HttpProcess;
let locked: HttpProcess;
let everywhere: HttpProcess;
let indexless: HttpProcess;
let refused: Record<'open' | 'openV6' | 'shortToken' | 'badPort', Finished>;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  const http = ['http', '--index', index, '--port', '0'];
  [open, locked, everywhere, indexless, refused] = await Promise.all([
    startHttpProcess(index, { PITH_HTTP_BODY_BYTES: '4096' }),
    startHttpProcess(index, { PITH_HTTP_TOKEN: TOKEN }),
    startHttpProcess(index, { PITH_HTTP_HOST: '0.0.0.0', PITH_HTTP_TOKEN: TOKEN }),
    startHttpProcess(folder.file('late.sqlite')),
    runAll({
      open: [[...http, '--host', '0.0.0.0']],
      openV6: [[...http, '--host', '::']],
      shortToken: [http, { env: { PITH_HTTP_TOKEN: 'short' } }],
      badPort: [['http', '--index', index, '--port', '70000']],
    }),
  ]);
});

afterAll(async () => {
  await Promise.all([open, locked, everywhere, indexless].map((server) => server.stop()));
  folder.remove();
});

describe('binding', () => {
  it.each(['open', 'openV6'] as const)('refuses to listen beyond loopback without a token: %s', (name) => {
    const { code, stdout, stderr } = refused[name];
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/PITH_HTTP_TOKEN/);
    expect(stderr).toMatch(/PITH_HTTP_HOST|--host/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('listens beyond loopback with a token', async () => {
    const url = everywhere.url.replace('0.0.0.0', '127.0.0.1');
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${TOKEN}` };
    expect(await httpRequest(url, { headers, body: PING })).toMatchObject({ status: 200 });
    expect(await httpRequest(url, { body: PING })).toMatchObject({ status: 401 });
  });

  it('refuses a token that is too short, without printing it', () => {
    expect(refused.shortToken).toMatchObject({ code: 2, stderr: expect.stringContaining('PITH_HTTP_TOKEN') });
    expect(refused.shortToken.stderr).not.toContain('"short"');
  });

  it('refuses a port out of range', () => {
    expect(refused.badPort).toMatchObject({ code: 2, stderr: expect.stringContaining('PITH_HTTP_PORT') });
  });
});

describe('the bearer token', () => {
  it.each([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer another-token-of-sixteen-characters' }],
    ['a longer one', { authorization: `Bearer ${TOKEN}x` }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}` }],
    ['the bare token', { authorization: TOKEN }],
  ])('is required if there is %s', async (_, extra) => {
    const reply = await httpRequest(locked.url, { headers: { ...MCP_HEADERS, ...extra }, body: SEARCH });
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(reply.body).not.toContain('waiting');
  });

  it.each(['GET', 'DELETE'])('is required by %s too', async (method) => {
    expect(await httpRequest(locked.url, { method })).toMatchObject({ status: 401 });
  });

  it('is not accepted in the query string', async () => {
    const url = `${locked.url}?access_token=${TOKEN}&token=${TOKEN}`;
    expect(await httpRequest(url, { body: SEARCH })).toMatchObject({ status: 401 });
  });

  it.each(ERAS)('admits a %s client', async (era) => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const client = await connectClient({ era, transport: 'http', index, url: locked.url, headers });
    const result = await client.call('kb.search', { query: 'leave the waiting list' });
    await client.close();
    expect(result.isError).toBeUndefined();
  });

  it.each(ERAS)('refuses a %s client without it', async (era) => {
    await expect(connectClient({ era, transport: 'http', index, url: locked.url })).rejects.toThrow(
      /401|Unauthorized/i,
    );
  });

  it('makes all its holders one principal, so that one can read the passages of another', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const connect = (era: Era) => connectClient({ era, transport: 'http', index, url: locked.url, headers });
    const [one, other] = [await connect('v1'), await connect('v2')];
    const { results } = (await one.call('kb.search', { query: 'leave the list' })).structuredContent as {
      results: { passage_id: string }[];
    };
    const read = await other.call('kb.read_excerpt', { passage_id: results[0]?.passage_id });
    await Promise.all([one.close(), other.close()]);
    expect(read.isError).toBeUndefined();
  });

  it('gives a caller another principal, and so another session, than no token does', async () => {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${TOKEN}` };
    const sessionOf = (body: string) => /"session_id":"([\w-]+)"/.exec(body)?.[1];
    const byToken = sessionOf((await httpRequest(locked.url, { headers, body: SEARCH })).body);
    const byNone = sessionOf((await httpRequest(open.url, { body: SEARCH })).body);
    expect(byToken).toMatch(/^[\w-]{16}$/);
    expect(byNone).not.toBe(byToken);
  });
});

describe('Origin and Host', () => {
  it.each([
    'http://evil.example',
    'https://localhost.evil.example',
    'http://127.0.0.1.evil.example:7484',
    'null',
    'not a url',
    'file://',
  ])('refuses the origin %s', async (origin) => {
    const reply = await httpRequest(open.url, { headers: { ...MCP_HEADERS, origin }, body: SEARCH });
    expect(reply.status).toBe(403);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each(['evil.example', 'evil.example:7484', '127.0.0.1.evil.example'])(
    'refuses the host %s',
    async (host) => {
      const reply = await httpRequest(open.url, { headers: { ...MCP_HEADERS, host }, body: SEARCH });
      expect(reply.status).toBe(403);
    },
  );

  it.each<Record<string, string>>([
    {},
    { origin: 'http://localhost:3000' },
    { origin: 'http://127.0.0.1' },
    { host: 'localhost' },
  ])('answers %j', async (extra) => {
    const reply = await httpRequest(open.url, { headers: { ...MCP_HEADERS, ...extra }, body: PING });
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining('"jsonrpc":"2.0"') });
  });
});

describe('an invalid request', () => {
  it('gets 413 for a body over the limit', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(5_000) } });
    expect(await httpRequest(open.url, { body })).toMatchObject({ status: 413 });
  });

  it.each(['{', '', '{"jsonrpc":"2.0","id":1,"method":', '\u0000'])(
    'gets 400 for the malformed JSON %j',
    async (body) => {
      const reply = await httpRequest(open.url, { body });
      expect(reply.status).toBe(400);
      expect(reply.body).not.toMatch(/node_modules|\.js:\d/);
    },
  );

  it.each([
    '{}',
    '[]',
    '7',
    '"ping"',
    'null',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
  ])('gets 400 for a message that is not JSON-RPC: %s', async (body) => {
    expect(await httpRequest(open.url, { body })).toMatchObject({ status: 400 });
  });

  it('gets the error of JSON-RPC for an unknown method', async () => {
    const { body } = await httpRequest(open.url, { body: '{"jsonrpc":"2.0","id":1,"method":"tools/fly"}' });
    expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  it.each(['GET', 'DELETE'])('gets 405 for %s', async (method) => {
    expect(await httpRequest(open.url, { method })).toMatchObject({ status: 405 });
  });

  it.each(['/mcp/../etc/passwd', '/.env', '/mcp/x'])('gets 404 for %s', async (path) => {
    expect(await httpRequest(new URL(path, open.url).href, { method: 'GET' })).toMatchObject({ status: 404 });
  });

  it('gets an answer that does not name the software behind it', async () => {
    expect((await httpRequest(open.url, { body: PING })).headers).not.toHaveProperty('x-powered-by');
  });
});

describe('/ without a search page', () => {
  let off: HttpProcess;
  beforeAll(async () => {
    off = await startHttpProcess(index, { PITH_SEARCH_PAGE: 'off', PITH_HTTP_TOKEN: TOKEN });
  });
  afterAll(() => off.stop());

  const page = (server: HttpProcess, headers: Record<string, string> = {}) =>
    httpRequest(new URL('/', server.url).href, { method: 'GET', headers });

  it('is a page that names the server, the address for clients and the documentation', async () => {
    const { status, headers, body } = await page(off);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const text of [/<h1>Pith/, /Model Context Protocol/, /\/mcp\b/, /docs\/getting-started\.md/])
      expect(body).toMatch(text);
  });

  it('shows the address to paste into a host, as the browser reached it', async () => {
    const at = async (headers?: Record<string, string>) =>
      /<pre[^>]*>([^<]*)</.exec((await page(off, headers)).body)?.[1];
    expect(await at()).toBe(off.url);
    expect(await at({ host: 'docs.example:8443', 'x-forwarded-proto': 'https' })).toBe(
      'https://docs.example:8443/mcp',
    );
    expect(await at({ host: 'a"<b>' })).toBe('/mcp');
  });

  it('is otherwise the same for everyone', async () => {
    const host = 'docs.example';
    const headers = { host, authorization: `Bearer ${TOKEN}`, 'x-forwarded-host': '<script>' };
    const pages = [await page(off, { host }), await page(off, headers)];
    expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
  });

  it("can't load or run anything, and can't be framed", async () => {
    const { headers, body } = await page(off);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.replace(off.url, '')).not.toMatch(
      /<(?:script|img|iframe|form)|\son\w+=|(?:href|src)="https?:/i,
    );
  });
});

describe('/ before there is an index', () => {
  it('is a page that shows where agents connect', async () => {
    const { status, body } = await httpRequest(new URL('/', indexless.url).href, {
      method: 'GET',
      headers: {},
    });
    expect(status).toBe(200);
    expect(body).toContain(indexless.url);
  });
});

describe('/livez and /readyz', () => {
  const look = (server: HttpProcess, path: string, method = 'GET') =>
    httpRequest(new URL(path, server.url).href, { method, headers: {} });

  it('need no token and report nothing', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect(await look(locked, path)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
      expect(await look(locked, path, 'HEAD')).toMatchObject({ status: 200, body: '' });
    }
  });

  it('distinguish a running process from an index that answers', async () => {
    const server = await startHttpProcess(folder.file('later.sqlite'));
    const [live, before] = [await look(server, '/livez'), await look(server, '/readyz')];
    copyFileSync(index, folder.file('later.sqlite'));
    const after = await look(server, '/readyz');
    await server.stop();
    expect(live).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(before).toMatchObject({ status: 503, body: '{"status":"unavailable"}' });
    expect(after.status).toBe(200);
  });
});

describe('/healthz', () => {
  const health = (server: HttpProcess) =>
    httpRequest(server.url.replace('/mcp', '/healthz'), { method: 'GET', headers: {} });

  it('answers 200 without a token and reveals nothing about the documents', async () => {
    expect(await health(locked)).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  it('answers 503 while the index is missing, and 200 once it exists', async () => {
    const before = await health(indexless);
    copyFileSync(index, folder.file('late.sqlite'));
    const after = await health(indexless);
    expect(before).toMatchObject({ status: 503, body: expect.stringContaining('index_missing') });
    expect(before.body).not.toContain(folder.path);
    expect(after.status).toBe(200);
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('ends the process immediately with code 0, even with keep-alive connections', async () => {
    const server = await startHttpProcess(index);
    const agent = new Agent({ keepAlive: true });
    await httpRequest(server.url, { body: SEARCH, agent });
    const exited = once(server.child, 'exit');
    server.child.kill(signal);
    const { value, ms } = await timed(exited);
    agent.destroy();
    expect(value).toEqual([0, null]);
    expect(ms).toBeLessThan(1_500);
  });
});

describe('a server whose stderr is not read any more', () => {
  it('keeps answering', async () => {
    const server = await startHttpProcess(index);
    server.child.stderr?.destroy();
    await httpRequest(server.url, { body: '{}' });
    const reply = await poll(
      'an answer',
      () => httpRequest(server.url, { body: PING }).catch(() => undefined),
      2_000,
    );
    await server.stop();
    expect(reply.status).toBe(200);
  });
});
