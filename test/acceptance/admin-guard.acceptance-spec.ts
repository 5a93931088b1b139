import { diagnosticRecordSchema } from '../../src/diagnostics/record/diagnostic-record.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import {
  ADMIN_TOKEN,
  diagnosticIdOf,
  type OperatorsServer,
  startOperatorsServer,
} from '../support/operators-server.js';
import { poll, runPith } from '../support/processes.js';
import { STORIES } from '../support/retrieval-stories.js';

const MCP_TOKEN = 'the-token-of-all-mcp-callers';
const BEARER = { authorization: `Bearer ${ADMIN_TOKEN}` };
const PATHS = [
  '/admin',
  '/admin/retrievals/x',
  '/admin/corpus',
  '/admin/tools',
  '/admin/settings',
  '/admin/diagnostics',
  '/admin/diagnostics/x',
  '/admin/health',
  '/admin/ready',
  '/admin/config',
  '/admin/index',
  '/admin/whatever',
  '/metrics',
];

let admin: OperatorsServer;
let remote: OperatorsServer;
let none: OperatorsServer;
/** Ids of a retrieval that found something and of one that failed. */
let found: string;
let failed: string;

beforeAll(async () => {
  [admin, remote, none] = await Promise.all([
    startOperatorsServer({ PITH_HTTP_BODY_BYTES: '4096' }),
    startOperatorsServer({ PITH_ADMIN_REMOTE: '1', PITH_HTTP_TOKEN: MCP_TOKEN }),
    startOperatorsServer({ PITH_ADMIN_TOKEN: '' }),
  ]);
  const results = await admin.call(
    ['kb.search', { query: 'leave the waiting list' }],
    ['kb.search', { query: '', keywords: [] }],
  );
  [found = '', failed = ''] = results.map(diagnosticIdOf);
  await admin.write([STORIES.unlikely]);
  await poll(
    'two diagnostics',
    async () => {
      const { body } = await admin.get('/admin/health');
      return body.includes('"written":2') || undefined;
    },
    10_000,
  );
});

afterAll(async () => {
  await Promise.all([admin, remote, none].map((server) => server?.stop()));
});

const json = async (path: string) => {
  const { status, body } = await admin.get(path);
  return { status, ...JSON.parse(body) };
};

describe('without a token of its own', () => {
  it.each(PATHS)('%s is not found, like any unknown path', async (path) => {
    const there = await none.get(path, BEARER);
    const unknown = await none.get('/unknown', BEARER);
    expect(there.status).toBe(404);
    expect(there.body).toBe(unknown.body.replace('/unknown', path));
    expect(Object.keys(there.headers)).toEqual(Object.keys(unknown.headers));
  });
});

describe('the admin console', () => {
  it.each(PATHS)('%s requires the token and reveals nothing without it', async (path) => {
    const { status, headers, body } = await admin.get(path, {});
    expect({ status, challenge: headers['www-authenticate'] }).toEqual({
      status: 401,
      challenge: 'Basic realm="Pith", charset="UTF-8"',
    });
    expect(JSON.parse(body)).toEqual({
      error: { code: 'UNAUTHORIZED', message: expect.any(String), hint: expect.any(String) },
    });
  });

  it.each([
    [BEARER],
    [{ authorization: `Basic ${Buffer.from(`anybody:${ADMIN_TOKEN}`).toString('base64')}` }],
  ])('accepts %j', async (headers) => {
    expect(await admin.get('/admin/health', headers)).toMatchObject({ status: 200 });
  });

  it('rejects the token of /mcp', async () => {
    expect(await remote.get('/admin', { authorization: `Bearer ${MCP_TOKEN}` })).toMatchObject({
      status: 403,
    });
  });

  it('ignores a token in the URL', async () => {
    expect(
      await admin.get(`/admin/health?token=${ADMIN_TOKEN}&access_token=${ADMIN_TOKEN}`, {}),
    ).toMatchObject({
      status: 401,
    });
  });

  it.each<Record<string, string>>([
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { host: 'evil.example' },
    { origin: 'http://evil.example' },
  ])('rejects %j', async (headers) => {
    expect(await admin.get('/admin', { ...BEARER, ...headers })).toMatchObject({ status: 403 });
  });

  it('accepts requests through a proxy with PITH_ADMIN_REMOTE, but only with allowed Host names', async () => {
    const forwarded = { ...BEARER, 'x-forwarded-for': '10.0.0.1' };
    expect(await remote.get('/admin', forwarded)).toMatchObject({ status: 200 });
    expect(await remote.get('/admin', { ...forwarded, host: 'evil.example' })).toMatchObject({ status: 403 });
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('rejects methods that change state: %s', async (method) => {
    const replies = await Promise.all(
      ['/admin', '/admin/config', '/admin/diagnostics'].map((path) =>
        httpRequest(admin.at(path), { method, headers: BEARER }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([405, 405, 405]);
  });

  it('answers HEAD without a body', async () => {
    const reply = await httpRequest(admin.at('/admin'), { method: 'HEAD', headers: BEARER });
    expect(reply).toMatchObject({ status: 200, body: '' });
  });

  it('is separate from /mcp: its paths do not exist there, and tools/list does not contain it', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tools = await httpRequest(admin.at('/mcp'), { headers: MCP_HEADERS, body });
    expect(tools.body).not.toMatch(/admin|"diagnostics\./);
    expect(await admin.get('/mcp/admin')).toMatchObject({ status: 404 });
  });

  it('rejects the same token for /mcp and /admin at the start, without printing it', async () => {
    const env = { PITH_ADMIN_TOKEN: MCP_TOKEN, PITH_HTTP_TOKEN: MCP_TOKEN };
    const { code, stderr } = await runPith(['http', '--port', '0'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('PITH_ADMIN_TOKEN');
    expect(stderr).not.toContain(MCP_TOKEN);
  });
});

describe('/admin/diagnostics', () => {
  it('lists diagnostics, newest first', async () => {
    const { diagnostics, next_cursor, is_complete } = await json('/admin/diagnostics');
    expect(diagnostics.map(({ diagnostic_id }: { diagnostic_id: string }) => diagnostic_id)).toEqual([
      failed,
      found,
      STORIES.unlikely.diagnostic_id,
    ]);
    expect({ next_cursor, is_complete }).toEqual({ next_cursor: null, is_complete: true });
    expect(diagnostics[1]).toMatchObject({
      tool: 'kb.search',
      transport: 'http',
      outcome: 'ok',
      error: null,
    });
  });

  it.each([
    ['outcome=error', 1],
    ['outcome=ok', 2],
    ['error_code=INVALID_ARGUMENT', 1],
    ['answerable=unlikely', 1],
    ['tool=kb.search', 2],
    ['tool=search_docs', 0],
    ['since=2026-02-01', 2],
    ['until=2026-02-01T00:00', 1],
    ['min_ms=3600000', 0],
    ['degraded=true', 0],
    ['partial=0&principal=local', 2],
    ['session_id=session', 1],
  ])('filters: %s', async (query, count) => {
    expect((await json(`/admin/diagnostics?${query}`)).diagnostics).toHaveLength(count);
  });

  it('continues where the last page ended', async () => {
    const first = await json('/admin/diagnostics?limit=2');
    const rest = await json(`/admin/diagnostics?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect(first.diagnostics).toHaveLength(2);
    expect(rest.diagnostics).toMatchObject([{ diagnostic_id: STORIES.unlikely.diagnostic_id }]);
  });

  it.each(['limit=501', 'limit=x', 'since=never', 'cursor=forged', 'unknown=1', 'tool=a&tool=b'])(
    'refuses %s',
    async (query) => {
      expect(await json(`/admin/diagnostics?${query}`)).toEqual({
        status: 400,
        error: { code: 'INVALID_ARGUMENT', message: expect.any(String), hint: expect.any(String) },
      });
    },
  );

  it('returns a whole record as JSON', async () => {
    const { body, headers } = await admin.get(`/admin/diagnostics/${found}`);
    const record = diagnosticRecordSchema.parse(JSON.parse(body));
    expect(record).toMatchObject({ diagnostic_id: found, query: { raw: null, query_length: 22 } });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).not.toContain('leave the waiting list');
  });

  it.each([
    ['.md', {}],
    ['', { accept: 'text/markdown' }],
  ])('returns a record as Markdown: %j %j', async (suffix, headers) => {
    const reply = await admin.get(`/admin/diagnostics/${found}${suffix}`, { ...BEARER, ...headers });
    expect(reply.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(reply.body).toMatch(new RegExp(`^# Retrieval Diagnostics — ${found}\n`));
  });

  it.each([
    '00000000-0000-4000-8000-000000000009',
    '00000000-0000-4000-8000-000000000009.md',
    'x',
    '..%2f..%2fetc%2fpasswd',
    '%00',
  ])('answers 404 to %s', async (id) => {
    expect(await json(`/admin/diagnostics/${id}`)).toMatchObject({
      status: 404,
      error: { code: 'NOT_FOUND' },
    });
  });

  it('answers 400 to a path with an invalid encoding', async () => {
    expect(await admin.get('/admin/diagnostics/%ff')).toMatchObject({ status: 400 });
  });
});

describe('the other endpoints', () => {
  it('report that the process is alive, and its uptime', async () => {
    expect(await json('/admin/health')).toEqual({
      status: 200,
      alive: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      uptime_s: expect.any(Number),
      diagnostics: { queued: 0, written: 2, dropped: 0, failed: 0 },
    });
  });

  it('report that the server is ready', async () => {
    expect(await json('/admin/ready')).toEqual({ status: 200, ready: true, reasons: [] });
  });

  it('report every setting and no secret', async () => {
    const { status, body } = await remote.get('/admin/config');
    expect(status).toBe(200);
    expect(body).toContain('"name":"PITH_HTTP_TOKEN","value":"set"');
    expect(body).not.toMatch(new RegExp(`${ADMIN_TOKEN}|${MCP_TOKEN}`));
  });

  it('report facts about the index', async () => {
    expect(await json('/admin/index')).toMatchObject({
      status: 200,
      documents: expect.any(Number),
      sections: expect.any(Number),
      graph: { enabled: true, engine: 'sqlite' },
      scope: { doc_tags: null, repositories: null },
    });
  });

  it('report metrics for Prometheus', async () => {
    const { headers, body } = await admin.get('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain;/);
    expect(body).toMatch(/^# HELP /m);
  });
});

describe('a server with another project’s index', () => {
  it('is alive but not ready, and reports the reason', async () => {
    const missing = await startOperatorsServer({ PITH_PROJECT: 'another-project' });
    const health = await missing.get('/admin/health');
    const ready = await missing.get('/admin/ready');
    const page = await missing.get('/admin');
    const index = await missing.get('/admin/index');
    await missing.stop();
    expect(health.status).toBe(200);
    expect({ status: ready.status, ...JSON.parse(ready.body) }).toMatchObject({
      status: 503,
      ready: false,
      reasons: [{ part: 'index', reason: 'index_incompatible', hint: expect.any(String) }],
    });
    expect(page.body).toContain('index_incompatible');
    expect(index).toMatchObject({ status: 503, body: expect.stringContaining('BACKEND_UNAVAILABLE') });
  });
});

describe('a client that guesses tokens', () => {
  it('is throttled on all paths together', async () => {
    const server = await startOperatorsServer({ PITH_HTTP_TOKEN: MCP_TOKEN });
    const guess = { authorization: 'Bearer guessed' };
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 12; i++) statuses.push((await server.get('/admin', guess)).status);
    const refused = await server.get('/admin', guess);
    const headers = { ...MCP_HEADERS, ...guess };
    const reply = await httpRequest(server.server.url, { headers, body: '{}' });
    await server.stop();
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-6]$/) },
    });
    expect(reply).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^[1-6]$/) },
    });
  });
});
