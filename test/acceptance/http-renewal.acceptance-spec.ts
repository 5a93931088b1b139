import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { poll, runPith, timed } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const KEYS = keysOf('old', 'new', 'slow', 'small');
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const SEARCH = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'kb.search', arguments: { query: 'waiting list' } },
});

interface Started {
  readonly server: HttpProcess;
  readonly stderr: () => string;
}

const servers: HttpProcess[] = [];

async function start(env: Record<string, string>): Promise<Started> {
  const server = await startHttpProcess(index, env);
  servers.push(server);
  let stderr = '';
  server.child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  return { server, stderr: () => stderr };
}

/** Sends SIGHUP and waits for what the server says. */
async function hangUp({ server, stderr }: Started): Promise<string> {
  const before = stderr().length;
  server.child.kill('SIGHUP');
  return poll('an answer to SIGHUP', () => stderr().slice(before) || undefined);
}

beforeAll(() => buildIndex(FIXTURE_CORPUS, index));

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  folder.remove();
});

describe('an access file', () => {
  const file = folder.file('access.yaml');
  const write = (text: string): void => writeFiles(folder.path, { 'access.yaml': text });
  let started: Started;
  const call = async (key: string, body = PING) => {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${key}` };
    return httpRequest(started.server.url, { headers, body });
  };

  beforeAll(async () => {
    write(
      accessText({
        old: { keys: [KEYS.old] },
        slow: { keys: [KEYS.slow], limits: { calls_per_minute: 2 } },
        small: { keys: [KEYS.small], limits: { bytes_per_day: 1_024 } },
      }),
    );
    started = await start({ PITH_ACCESS_FILE: file });
  });

  it('limits the calls per minute of a principal', async () => {
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push((await call(KEYS.slow, SEARCH)).body);
    expect(replies.map((body) => body.includes('rate_limited'))).toEqual([false, false, true]);
    expect(replies[2]).toContain('more than 2 calls a minute');
    expect((await call(KEYS.old, SEARCH)).body).not.toContain('rate_limited');
  });

  it('limits the bytes per day of a principal', async () => {
    expect((await call(KEYS.small, SEARCH)).body).not.toContain('quota');
    const { body } = await call(KEYS.small, SEARCH);
    expect(body).toContain('BUDGET_EXCEEDED');
    expect(body).toMatch(/retry_after_s\\?":\d{1,5}\b/);
    expect((await call(KEYS.old, SEARCH)).body).not.toContain('quota');
  });

  it('is read again at SIGHUP: new keys are valid, removed ones are not', async () => {
    expect((await call(KEYS.new)).status).toBe(401);
    write(accessText({ new: { keys: [KEYS.new] } }));
    expect(await hangUp(started)).toBe(`pith: read again: ${file}\n`);
    expect((await call(KEYS.new)).status).toBe(200);
    expect((await call(KEYS.old)).status).toBe(401);
  });

  it('prints warnings again after SIGHUP', async () => {
    const others = { keys: [KEYS.new], tools: ['claim.*'] };
    write(accessText({ new: others }));
    expect(await hangUp(started)).toBe(`pith: read again: ${file}\n`);
    const warning = 'pith: warning: principal new: no tools are offered to it';
    await poll('the warning', () => started.stderr().includes(warning) || undefined);
    expect(await call(KEYS.new)).toMatchObject({ status: 200 });
  });

  it('changes nothing if it is not valid, and the server says what is wrong', async () => {
    write(`version: 1\nprincipals:\n  new:\n    keys: [${KEYS.new}]\n`);
    const told = await hangUp(started);
    expect(told).toContain('pith: nothing is changed, because a file is not valid:');
    expect(told).toContain(`${file}:4: principals.new.keys.0`);
    expect(told).not.toContain(KEYS.new);
    expect((await call(KEYS.new)).status).toBe(200);
  });
});

describe('a certificate', () => {
  const [cert, key] = [folder.file('cert.pem'), folder.file('key.pem')];
  const ENV = { PITH_HTTP_TLS_CERT: cert, PITH_HTTP_TLS_KEY: key };

  async function write(name: string): Promise<string> {
    const made = await generate([{ name: 'commonName', value: name }], { keySize: 2048 });
    writeFiles(folder.path, { 'cert.pem': made.cert, 'key.pem': made.private });
    return made.private;
  }

  /** Pings the server. @returns the name in its certificate */
  function ping(url: string, agent: Agent): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', agent, headers: MCP_HEADERS, rejectUnauthorized: false };
      const sent = request(url, options, (reply) => {
        const { subject } = (reply.socket as TLSSocket).getPeerCertificate();
        reply.resume().on('end', () => resolve(`${reply.statusCode} ${String(subject.CN)}`));
      });
      sent.on('error', reject).end(PING);
    });
  }

  it('makes the server speak HTTPS, and is renewed at SIGHUP while connections go on', async () => {
    await write('first.example');
    const started = await start(ENV);
    const { url } = started.server;
    const [kept = new Agent(), fresh = new Agent()] = [true, false].map(
      (keepAlive) => new Agent({ keepAlive, maxCachedSessions: 0 }),
    );
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await ping(url, kept)).toBe('200 first.example');
    await write('second.example');
    expect(await hangUp(started)).toContain('read again');
    expect(await ping(url, fresh)).toBe('200 second.example');
    expect(await ping(url, kept)).toBe('200 first.example');
    await write('third.example');
    writeFiles(folder.path, { 'key.pem': 'no key' });
    expect(await hangUp(started)).toContain('nothing is changed');
    expect(await ping(url, fresh)).toBe('200 second.example');
    kept.destroy();
    // It never begins its handshake.
    connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    const exited = once(started.server.child, 'exit');
    started.server.child.kill('SIGTERM');
    const { value, ms } = await timed(exited);
    expect(value).toEqual([0, null]);
    expect(ms).toBeLessThan(4_000);
  });

  it.each([
    ['without its key', { PITH_HTTP_TLS_CERT: cert }, 'Set both'],
    ['with the key of another', ENV, 'the key must belong to the certificate'],
    ['that is not there', { ...ENV, PITH_HTTP_TLS_CERT: folder.file('none.pem') }, "can't be read (ENOENT)"],
  ])('%s stops the start', async (_what, env, message) => {
    const foreign = await write('one.example');
    await write('two.example');
    writeFiles(folder.path, { 'key.pem': foreign });
    const { code, stderr } = await runPith(['http', '--port', '0', '--index', index], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('the address of a caller', () => {
  const guessesFrom = async (server: HttpProcess, addresses: readonly string[]) => {
    const statuses = [];
    for (const address of addresses) {
      const headers = { ...MCP_HEADERS, authorization: 'Bearer guess', 'x-forwarded-for': address };
      statuses.push((await httpRequest(server.url, { headers, body: PING })).status);
    }
    return statuses;
  };
  const TOKEN = { PITH_HTTP_TOKEN: 'the-token-of-all-callers' };
  const SAME = Array.from({ length: 11 }, () => '10.0.0.1');

  it('is the one that a trusted proxy names', async () => {
    const { server } = await start({ ...TOKEN, PITH_HTTP_TRUSTED_PROXIES: '127.0.0.0/8' });
    expect((await guessesFrom(server, SAME)).at(-1)).toBe(429);
    expect(await guessesFrom(server, ['10.0.0.2', '10.0.0.9, 10.0.0.3'])).toEqual([401, 401]);
  });

  it('is that of the connection without one', async () => {
    const { server } = await start(TOKEN);
    const each = SAME.map((_, i) => `10.0.0.${i}`);
    expect((await guessesFrom(server, each)).at(-1)).toBe(429);
  });

  it('can only be named by addresses', async () => {
    const env = { ...TOKEN, PITH_HTTP_TRUSTED_PROXIES: 'my-proxy' };
    const { code, stderr } = await runPith(['http', '--port', '0', '--index', index], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('PITH_HTTP_TRUSTED_PROXIES: invalid IP address: my-proxy');
  });
});
