import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as startRequest } from 'node:http';
import { connect as openSocket } from 'node:net';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { sha256Of, someBytes, UNKNOWN_SHA256 } from '../support/a-substrate.js';
import { accessText, keysOf } from '../support/access.js';
import { SECRET } from '../support/builders.js';
import { approvalsIn } from '../support/governance-stores.js';
import { httpRequest } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { runPith } from '../support/run-pith.js';
import { suiteClients } from '../support/suite-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const KEYS = keysOf('agent', 'asker', 'unlisted', 'limited', 'quota', 'slow', 'leaver');
const MEGABYTE = 1_048_576;
/** Of one artifact. */
const BOUND = 3 * MEGABYTE;
/** Of all artifacts of the project. */
const SPACE_BYTES = 24 * MEGABYTE;
const ENV = {
  MCP_DOMAINS: 'substrate,index,run',
  MCP_TOOL_NAMES: 'dotted',
  PITH_ACCESS_FILE: folder.file('access.yaml'),
  PITH_ARTIFACT_MAX_BYTES: String(BOUND),
  PITH_AUDIT_FILE: folder.file('audit.jsonl'),
  PITH_ENVIRONMENT: 'prod',
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_LEDGER: 'on',
  PITH_PROJECT: 'docs',
  PITH_RATE_PER_MINUTE: '0',
  PITH_SECRET: SECRET,
  PITH_SUBSTRATE_MAX_BYTES: String(SPACE_BYTES),
};
const GOVERNANCE = `
version: 1
agents:
  default: { capabilities: ['*'] }
  asker: { capabilities: ['*'] }
  unlisted: { capabilities: ['*'] }
policy:
  rules:
    - { name: ask, tools: [substrate.artifact.*], agents: [asker], effect: approve }
    - { name: work, tools: [substrate.*, index.ingest, run.*], agents: [default], effect: allow }
`;

let server: HttpProcess;
const connect = suiteClients(() => ({ index, url: server.url, headers: authorized() }));
/** The status of an upload whose body never ends. */
let slowReply: Promise<number | undefined>;

beforeAll(async () => {
  writeFiles(folder.path, {
    'governance.yaml': GOVERNANCE,
    'access.yaml': accessText({
      agent: { keys: [KEYS.agent] },
      asker: { keys: [KEYS.asker], agent: 'asker' },
      unlisted: { keys: [KEYS.unlisted], agent: 'unlisted' },
      limited: { keys: [KEYS.limited], scope: { doc_tags: ['public'] } },
      quota: { keys: [KEYS.quota], limits: { bytes_per_day: MEGABYTE } },
      slow: { keys: [KEYS.slow], limits: { concurrent_calls: 1 } },
      leaver: { keys: [KEYS.leaver], limits: { concurrent_calls: 1 } },
    }),
  });
  server = await startHttpProcess(index, ENV);
  const outgoing = beginUpload(someBytes(300_000, 21), {
    ...authorized(KEYS.slow),
    'content-length': '400000',
  });
  slowReply = new Promise((resolve) => {
    outgoing.once('response', ({ statusCode }) => resolve(statusCode));
    outgoing.once('close', () => resolve(undefined));
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const urlOf = (path: string, { url } = server): string => new URL(path, url).href;
const authorized = (key: string = KEYS.agent) => ({ authorization: `Bearer ${key}` });

type Headers = Readonly<Record<string, string>>;

async function upload(bytes: Uint8Array, headers: Headers = {}, to = server) {
  const all = { ...authorized(), 'content-type': 'text/markdown', ...headers };
  const body = new Uint8Array(bytes);
  const reply = await fetch(urlOf('/artifacts', to), { method: 'POST', headers: all, body });
  return { status: reply.status, headers: reply.headers, body: Object(await reply.json()) };
}

async function download(sha256: string, headers: Headers = {}, from = server) {
  const reply = await fetch(urlOf(`/artifacts/${sha256}`, from), {
    headers: { ...authorized(), ...headers },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, bytes, text: bytes.toString() };
}

const reasonOf = ({ body }: { readonly body: { error?: { details?: { reason?: string } } } }) =>
  body.error?.details?.reason;

/** Starts an upload whose body does not end. */
function beginUpload(bytes: Buffer, headers: Headers, to = server) {
  const all = { ...authorized(), ...headers };
  const outgoing = startRequest(urlOf('/artifacts', to), { method: 'POST', headers: all, agent: false });
  outgoing.on('error', () => undefined);
  outgoing.write(bytes);
  return outgoing;
}

async function ledgerOf(file = index) {
  const { stdout } = await runPith(['ledger', 'export', '--index', file], { env: ENV });
  return stdout
    .trim()
    .split('\n')
    .map((line) => Object(JSON.parse(line)).event);
}

describe('a body that does not end', () => {
  it('keeps its caller busy, within its limit', async () => {
    const refused = await upload(someBytes(10, 1), authorized(KEYS.slow));
    expect([refused.status, reasonOf(refused)]).toEqual([429, 'concurrency']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a document over HTTP', () => {
  it.each([[0], [1], [262_144], [700_001], [BOUND]])(
    'comes back as it was sent, with %d bytes',
    async (length) => {
      const bytes = someBytes(length, length);
      const sha256 = sha256Of(bytes);
      const stored = await upload(bytes, { 'x-content-sha256': sha256 });
      expect(stored).toMatchObject({
        status: 200,
        body: { sha256, size_bytes: length, media_type: 'text/markdown' },
      });
      const read = await download(sha256);
      expect(read.status).toBe(200);
      expect(read.bytes.equals(bytes)).toBe(true);
      expect(Object.fromEntries(read.headers)).toMatchObject({
        'content-length': String(length),
        'content-type': 'text/markdown',
        etag: `"${sha256}"`,
      });
    },
  );

  it('is sent as docs/domains.md shows', async () => {
    const docs = readFileSync(join(PACKAGE_ROOT, 'docs', 'domains.md'), 'utf8');
    const [, example = ''] = /```sh\n(curl [^`]*)```/.exec(docs) ?? [];
    const headers = [...example.matchAll(/-H '([\w-]+): ([^']+)'/g)].map(([, name = '', value]) => [
      name.toLowerCase(),
      value,
    ]);
    const bytes = Buffer.from('# Returns\n\nReturn goods within 14 days.\n');
    const { status, body } = await upload(bytes, Object.fromEntries(headers));
    expect([headers.length, status]).toEqual([2, 200]);
    expect(example).toContain(`/artifacts/${body.sha256}`);
  });

  it('runs no script in a browser', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    const { body } = await upload(page, { 'content-type': 'text/html; charset=utf-8' });
    const { headers } = await download(body.sha256);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${body.sha256}"`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
  });

  it('can be sent in chunks, and is what the tools have, page by page', async () => {
    const text = 'The osprey dives for trout. '.repeat(20_000);
    const outgoing = beginUpload(Buffer.from(text), { 'content-type': 'text/plain' });
    outgoing.end();
    const [reply] = await once(outgoing, 'response');
    expect(reply.statusCode).toBe(200);
    const client = await connect('v2', 'http');
    const sha256 = sha256Of(text);
    const info = await client.call('substrate.artifact.info', { sha256 });
    expect(info.structuredContent).toMatchObject({ size_bytes: text.length, published_by: 'agent' });
    const page = await client.call('substrate.artifact.get', { sha256, offset: 500_000 });
    expect(page.structuredContent).toMatchObject({ partial: true, text: text.slice(500_000, 516_384) });
  });

  it('that is larger than the tool takes is indexed from a manifest', async () => {
    const text = `# Osprey\n\n${'The osprey dives for trout at dawn.\n\n'.repeat(20_000)}`;
    const { body } = await upload(Buffer.from(text));
    const client = await connect('v2', 'http');
    const entries = [{ path: 'osprey.md', artifact_sha256: body.sha256 }];
    const made = await client.call('substrate.manifest.create', { entries });
    const { sha256: manifest_sha256 } = Object(made.structuredContent);
    const done = await client.call('index.ingest', { source: { manifest_sha256 } });
    expect(done.structuredContent).toMatchObject({ documents: 1, skipped: [] });
    const found = await client.call('kb.search', { query: 'osprey trout' });
    expect(JSON.stringify(found.structuredContent)).toContain('osprey.md');
  });

  it('is a call in the ledger, and belongs to the run that is named', async () => {
    const bytes = someBytes(300_000, 77);
    const run = { 'pith-run-id': 'publishing-1' };
    const { body } = await upload(bytes, run);
    await download(body.sha256, run);
    const events = (await ledgerOf()).filter(({ run_id }) => run_id === 'publishing-1@agent');
    expect(events.map(({ type, tool }) => `${type} ${tool}`)).toEqual([
      'tool.call.started substrate.artifact.upload',
      'tool.call.completed substrate.artifact.upload',
      'tool.call.started substrate.artifact.get',
      'tool.call.completed substrate.artifact.get',
    ]);
    const [, stored, , read] = events;
    expect(stored).toMatchObject({ principal: 'agent', refs: [{ type: 'artifact', id: body.sha256 }] });
    expect(read.refs).toEqual([{ type: 'artifact', id: body.sha256 }]);
    expect(read.bytes).toBeGreaterThan(bytes.length);
    expect(await runPith(['ledger', 'verify', '--index', index], { env: ENV })).toMatchObject({ code: 0 });
  });
});

describe('an upload is refused, and nothing is stored,', () => {
  const bytes = someBytes(400_000, 5);

  afterEach(async () => expect((await download(sha256Of(bytes))).status).toBe(404));

  it.each<[string, Headers, number, string | undefined]>([
    ['with another hash than it says', { 'x-content-sha256': UNKNOWN_SHA256 }, 400, 'sha256_mismatch'],
    ['with something else than a hash', { 'x-content-sha256': 'abc' }, 400, 'invalid_input'],
    ['with something else than a media type', { 'content-type': 'text' }, 400, 'invalid_input'],
    ['without a rule', authorized(KEYS.unlisted), 404, undefined],
    ['where a rule asks for an approval', authorized(KEYS.asker), 403, 'approval_required'],
    ['for a caller that may see only some documents', authorized(KEYS.limited), 403, 'documents_limited'],
    ['without a key', { authorization: '' }, 401, undefined],
    ['with a wrong key', authorized('x'.repeat(40)), 401, undefined],
    ['from a foreign page', { origin: 'https://evil.example' }, 403, undefined],
    ['as a form', { 'content-type': 'multipart/form-data; boundary=x' }, 415, undefined],
    ['in another encoding', { 'content-encoding': 'gzip' }, 415, undefined],
  ])('%s', async (_, headers, status, reason) => {
    const refused = await upload(bytes, headers);
    expect([refused.status, reasonOf(refused)]).toEqual([status, reason]);
  });

  it('under a foreign host', async () => {
    const headers = { ...authorized(), host: 'evil.example', 'content-type': 'text/plain' };
    expect(await httpRequest(urlOf('/artifacts'), { headers, body: 'x' })).toMatchObject({ status: 403 });
  });

  it('with the name of the tool, where a rule asks for an approval, and no operator is asked', async () => {
    const { body } = await upload(bytes, authorized(KEYS.asker));
    expect(JSON.stringify(body)).toContain('Call the tool substrate.artifact.upload');
    const file = folder.file('index.governance.sqlite');
    const store = approvalsIn({ file, creates: false, now: Date.now });
    const pending = await store.list({ limit: 10 }).catch(() => []);
    await store.close();
    expect(pending).toEqual([]);
  });

  it.each(['PUT', 'DELETE', 'GET'])('with %s', async (method) => {
    const reply = await fetch(urlOf('/artifacts'), { method, headers: authorized() });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a body over the bound', () => {
  it('is refused before it is sent', async () => {
    const outgoing = beginUpload(Buffer.alloc(0), { 'content-length': String(BOUND + 1) });
    outgoing.flushHeaders();
    const [reply] = await once(outgoing, 'response');
    expect(reply.statusCode).toBe(413);
    outgoing.destroy();
  });

  it('is refused when it passes the bound, if its length is not known', async () => {
    // One stored chunk more than allowed. The body does not end, but all of it is read, so no reset can lose the reply.
    const outgoing = beginUpload(someBytes(BOUND + 262_144, 9), { 'transfer-encoding': 'chunked' });
    const [reply] = await once(outgoing, 'response');
    expect(reply.statusCode).toBe(413);
    outgoing.destroy();
    const refused = (await ledgerOf()).filter(({ reason }) => reason === 'artifact_too_large');
    expect(refused.length).toBeGreaterThan(1);
  });
});

describe('an upload that breaks off', () => {
  it('leaves nothing and uses no space, however often', async () => {
    const broken = someBytes(BOUND, 13);
    for (let round = 0; round < 2 * (SPACE_BYTES / BOUND); round++) {
      const outgoing = beginUpload(broken.subarray(0, BOUND - 10), { 'content-length': String(BOUND) });
      await new Promise((resolve) => setTimeout(resolve, 30));
      outgoing.destroy();
    }
    expect((await download(sha256Of(broken))).status).toBe(404);
    const fits = async () => (await upload(broken)).status === 200 || undefined;
    expect(await poll('the space is free again', fits)).toBe(true);
  });

  it('by kill -9 leaves nothing, and what was acknowledged is there', async () => {
    const file = folder.file('killed.sqlite');
    const killed = await startHttpProcess(file, ENV);
    const kept = someBytes(600_000, 31);
    expect((await upload(kept, {}, killed)).status).toBe(200);
    const broken = someBytes(BOUND, 32);
    const outgoing = beginUpload(broken.subarray(0, BOUND - 10), { 'content-length': String(BOUND) }, killed);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closing = new Promise((resolve) => outgoing.once('close', resolve));
    killed.child.kill('SIGKILL');
    await closing;
    const again = await startHttpProcess(file, ENV);
    expect((await download(sha256Of(kept), {}, again)).bytes.equals(kept)).toBe(true);
    expect((await download(sha256Of(broken), {}, again)).status).toBe(404);
    expect((await upload(broken, {}, again)).status).toBe(200);
    await again.stop();
  });
});

describe('a download', () => {
  it('of another project or environment is the same as of one that does not exist', async () => {
    const { body } = await upload(someBytes(1_000, 41));
    for (const other of [{ PITH_PROJECT: 'other' }, { PITH_ENVIRONMENT: 'dev' }]) {
      const env = { ...ENV, ...other, PITH_WORK_FILE: folder.file('index.work.sqlite') };
      const elsewhere = await startHttpProcess(folder.file('other.sqlite'), env);
      const [there, nowhere] = [
        await download(body.sha256, {}, elsewhere),
        await download(UNKNOWN_SHA256, {}, elsewhere),
      ];
      await elsewhere.stop();
      expect([there.status, nowhere.status]).toEqual([404, 404]);
      expect(there.text.replaceAll(body.sha256, '')).toBe(nowhere.text.replaceAll(UNKNOWN_SHA256, ''));
    }
  });

  it.each<[string, Headers, number]>([
    ['without a key', { authorization: '' }, 401],
    ['for a caller that may see only some documents', authorized(KEYS.limited), 403],
    ['where a rule asks for an approval', authorized(KEYS.asker), 403],
  ])('is refused %s', async (_, headers, status) => {
    const { body } = await upload(someBytes(1_000, 41));
    expect((await download(body.sha256, headers)).status).toBe(status);
  });

  it('is refused for something else than a hash, and for another method', async () => {
    expect((await download('abc')).status).toBe(400);
    const reply = await fetch(urlOf(`/artifacts/${UNKNOWN_SHA256}`), {
      method: 'HEAD',
      headers: authorized(),
    });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('counts towards the bytes of a day', async () => {
    const { body } = await upload(someBytes(MEGABYTE, 51));
    expect((await download(body.sha256, authorized(KEYS.quota))).status).toBe(200);
    const second = await download(body.sha256, authorized(KEYS.quota));
    expect([second.status, second.text]).toEqual([429, expect.stringContaining('quota')]);
  });

  it('that its reader leaves does not keep the server busy', async () => {
    const { body } = await upload(someBytes(BOUND, 61));
    const { hostname, port } = new URL(server.url);
    const socket = openSocket(Number(port), hostname);
    socket.write(
      `GET /artifacts/${body.sha256} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEYS.leaver}\r\n\r\n`,
    );
    await once(socket, 'readable');
    socket.destroy();
    const free = async () =>
      (await download(body.sha256, authorized(KEYS.leaver))).status === 200 || undefined;
    expect(await poll('the call has ended', free)).toBe(true);
  });
});

describe('a body that does not end, later', () => {
  it('is refused after 15 s, and its call ends', async () => {
    expect(await slowReply).toBe(408);
    const free = async () =>
      (await upload(someBytes(10, 1), authorized(KEYS.slow))).status === 200 || undefined;
    expect(await poll('the call has ended', free)).toBe(true);
  });
});

it('does not exist without the namespace substrate', async () => {
  const other = await startHttpProcess(folder.file('plain.sqlite'), { ...ENV, MCP_DOMAINS: 'index' });
  expect((await download(UNKNOWN_SHA256, {}, other)).status).toBe(404);
  expect((await upload(someBytes(10), {}, other)).status).toBe(404);
  await other.stop();
});

it('belongs to the project of its principal, on a server of several projects', async () => {
  const access = JSON.parse(
    accessText({
      agent: { keys: [KEYS.agent] },
      slow: { keys: [KEYS.slow], scope: { project_id: 'birds' } },
    }),
  );
  const projects = { birds: { index: folder.file('birds.sqlite'), settings: { MCP_DOMAINS: 'substrate' } } };
  writeFiles(folder.path, { 'projects.yaml': JSON.stringify({ ...access, projects }) });
  const env = { ...ENV, MCP_DOMAINS: '', PITH_ACCESS_FILE: folder.file('projects.yaml') };
  const several = await startHttpProcess(folder.file('several.sqlite'), env);
  const { status, body } = await upload(someBytes(400_000, 71), authorized(KEYS.slow), several);
  expect(status).toBe(200);
  expect((await download(body.sha256, authorized(KEYS.slow), several)).status).toBe(200);
  expect((await download(body.sha256, {}, several)).status).toBe(404);
  await several.stop();
});
