import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';

const TOKEN = 'the-token-of-all-callers';
const LIMIT = 65_536;
const AUTHORIZED = { ...MCP_HEADERS, authorization: `Bearer ${TOKEN}` };
const folder = testFolder();
const index = folder.file('index.sqlite');
let server: HttpProcess;

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  server = await startHttpProcess(index, {
    PITH_HTTP_TOKEN: TOKEN,
    PITH_HTTP_BODY_BYTES: String(LIMIT),
    PITH_HTTP_TRUSTED_PROXIES: 'loopback',
    PITH_APPROVAL_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const rpc = (id: number, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const search = (id: number): string =>
  rpc(id, 'tools/call', { name: 'kb.search', arguments: { query: `waiting list ${id}` } });

/** The head of a POST, with these headers instead of the usual ones. */
function head(headers: Readonly<Record<string, string>> = {}): string {
  const all = { Host: 'localhost', ...AUTHORIZED, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n`;
}

interface Conversation {
  readonly reply: string;
  /** Time until the server closed the connection. */
  readonly ms: number;
  readonly sent: number;
}

/** Sends to the server until it closes the connection. */
async function talk(
  send: (socket: Socket) => AsyncIterable<string> | Iterable<string>,
): Promise<Conversation> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const startedAt = performance.now();
  const parts: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (data) => parts.push(data)).on('error', () => undefined);
  let sent = 0;
  for await (const part of send(socket)) {
    if (socket.destroyed) break;
    sent += part.length;
    if (!socket.write(part)) await Promise.race([new Promise((done) => socket.once('drain', done)), closed]);
  }
  await closed;
  return { reply: Buffer.concat(parts).toString(), ms: performance.now() - startedAt, sent };
}

async function* slowly(start: string, part: string): AsyncGenerator<string> {
  yield start;
  for (;;) {
    await delay(500);
    yield part;
  }
}

async function* endlessly(start: string, part: string): AsyncGenerator<string> {
  yield start;
  for (;;) {
    yield part;
    await delay(0);
  }
}

const statusOf = ({ reply }: Conversation): string => reply.split('\r\n')[0] ?? '';
const CHUNK = `4000\r\n${'x'.repeat(16_384)}\r\n`;

it('closes the connection of a slow sender within seconds', async () => {
  const senders = {
    nothing: () => slowly('', ''),
    headers: () => slowly('POST /mcp HTTP/1.1\r\nHost: localhost\r\n', 'X-More: x\r\n'),
    body: () => slowly(head({ 'Content-Length': '60000' }), ' '),
    chunks: () => slowly(head({ 'Transfer-Encoding': 'chunked' }), '1\r\n \r\n'),
  };
  const ended = await Promise.all(Object.values(senders).map((send) => talk(send)));
  expect(ended.map(statusOf)).toEqual(ended.map(() => 'HTTP/1.1 408 Request Timeout'));
  expect(Math.max(...ended.map(({ ms }) => ms))).toBeLessThan(20_000);
}, 30_000);

describe('a body over the limit', () => {
  it('is refused before it is sent', async () => {
    const ended = await talk(() => [head({ 'Content-Length': '999999999' })]);
    expect(statusOf(ended)).toBe('HTTP/1.1 413 Payload Too Large');
    expect(ended.reply).toContain('Connection: close');
    expect(ended.ms).toBeLessThan(5_000);
  });

  it.each([
    ['without an end', head({ 'Transfer-Encoding': 'chunked' }), '413 Payload Too Large'],
    [
      'of a sender without the token',
      head({ 'Transfer-Encoding': 'chunked', authorization: 'Bearer wrong' }),
      '401 Unauthorized',
    ],
  ])('%s is not read', async (_what, start, status) => {
    const ended = await talk(() => endlessly(start, CHUNK));
    // The reply is lost if the connection is reset while the sender writes.
    expect(['', `HTTP/1.1 ${status}`]).toContain(statusOf(ended));
    expect(ended.sent).toBeLessThan(LIMIT * 200);
    expect(ended.ms).toBeLessThan(10_000);
  });
});

describe('a compressed body', () => {
  const send = async (body: Buffer) => {
    const headers = { ...AUTHORIZED, 'content-encoding': 'gzip' };
    const reply = await fetch(server.url, { method: 'POST', headers, body: new Uint8Array(body) });
    return { status: reply.status, text: await reply.text() };
  };

  it('is read', async () => {
    expect(await send(gzipSync(rpc(7, 'ping')))).toMatchObject({
      status: 200,
      text: expect.stringContaining('"id":7'),
    });
  });

  it('is refused if it is larger than the limit when it is decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    expect(bomb.length).toBeLessThan(LIMIT);
    expect(await send(bomb)).toMatchObject({ status: 413 });
  });
});

it('goes on after a body that is no gzip and never ends', async () => {
  for (const path of ['/mcp', '/MCP', '/approvals/webhook']) {
    const start = head({ 'Content-Encoding': 'gzip', 'Content-Length': '1000' }).replace('/mcp', path);
    await talk(() => [`${start}${'no gzip'.repeat(3)}`]);
  }
  const headers = { ...AUTHORIZED };
  expect(await httpRequest(server.url, { headers, body: rpc(1, 'ping') })).toMatchObject({ status: 200 });
});

it('ends at once although pipelined requests were cut off', async () => {
  const other = await startHttpProcess(index, { PITH_HTTP_SHUTDOWN_MS: '20000' });
  const { hostname, port } = new URL(other.url);
  const body = search(1);
  const request = head({ 'Content-Length': String(body.length) }) + body;
  const socket = connect(Number(port), hostname);
  socket.write(request.repeat(5));
  await delay(20);
  socket.destroy();
  await httpRequest(other.url, { body: rpc(1, 'ping') });
  const startedAt = performance.now();
  await other.stop();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

describe('an ambiguous request', () => {
  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['an unknown encoding', 'Transfer-Encoding: chunked, x'],
    ['a folded header', 'X-One: 1\r\n Content-Length: 5'],
    ['a header with a NUL', 'X-One: a\u0000b'],
    ['chunks of a wrong size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0'],
  ])('is refused: %s', async (_what, lines) => {
    const start = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n`;
    const smuggled = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const ended = await talk(() => [
      `${start}Content-Type: application/json\r\n${lines}\r\n\r\n{}{}\r\n${smuggled}`,
    ]);
    expect(statusOf(ended)).toBe('HTTP/1.1 400 Bad Request');
    expect(ended.reply).not.toContain('200 OK');
  });
});

it('answers requests that are sent without waiting for replies, in their order', async () => {
  const requests = Array.from({ length: 20 }, (_, i) => rpc(i, 'ping'));
  const last =
    head({ 'Content-Length': String(rpc(99, 'ping').length), Connection: 'close' }) + rpc(99, 'ping');
  const { reply } = await talk(() => [
    requests.map((body) => head({ 'Content-Length': String(body.length) }) + body).join('') + last,
  ]);
  const ids = [...reply.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual([...requests.keys(), 99]);
});

describe('a thousand calls at once', () => {
  const call = (id: number, signal?: AbortSignal) =>
    fetch(server.url, { method: 'POST', headers: AUTHORIZED, body: search(id), signal: signal ?? null });

  it('are all answered, and health checks meanwhile', async () => {
    const calls = Array.from({ length: 1_000 }, async (_, id) => (await call(id)).status);
    const health = await httpRequest(new URL('/healthz', server.url).href, { method: 'GET', headers: {} });
    expect(health.status).toBe(200);
    // 1,000 requests may wait, and those that were started before do not wait.
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  }, 60_000);

  it('leave nothing behind if they are aborted, some in the middle of their replies', async () => {
    const ends = Array.from({ length: 1_000 }, async (_, id) => {
      const reply = await call(id, AbortSignal.timeout(10 + (id % 100) * 5)).catch(() => null);
      await reply?.body?.cancel();
    });
    await Promise.all(ends);
    const startedAt = performance.now();
    expect((await call(1)).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }, 60_000);
});

it('answers callers while another sender guesses with a new key each time', async () => {
  const headers = { ...AUTHORIZED };
  const ask = async (id: number) =>
    (await httpRequest(server.url, { headers, body: rpc(id, 'ping') })).status;
  await ask(0);
  const guess = async (i: number) => {
    const guessed = { authorization: `Bearer guess-${i}`, 'x-forwarded-for': '203.0.113.9' };
    return (await httpRequest(server.url, { headers: { ...MCP_HEADERS, ...guessed }, body: search(i) }))
      .status;
  };
  const guesses = Array.from({ length: 1_500 }, (_, i) => guess(i));
  await guesses[0];
  for (let id = 1; id <= 10; id++) expect(await ask(id)).toBe(200);
  // More than a thousand would have waited.
  expect(await Promise.all(guesses)).toContain(503);
}, 60_000);
