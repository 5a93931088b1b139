import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { errorOf } from '../support/call-results.js';
import { pinsIn } from '../support/governance-stores.js';
import { httpRequest } from '../support/http-request.js';
import { type CallResult, connectClient, type TestClient } from '../support/mcp-clients.js';
import { ADMIN_TOKEN } from '../support/operators-server.js';
import { type PithProcess, poll, startPith } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const PROGRAM = join(__dirname, '..', 'support', 'provider-server.cjs');
const SECRET = 'upstream-key-7c1f9e';
const TELLS = `process.stderr.write('started with ' + process.env.TOKEN + '\\n', () => process.exit(1))`;

const folder = testFolder();
const index = folder.file('index.sqlite');
const NODE = JSON.stringify(process.execPath);

let echoing: Server;
let pith: PithProcess;
let client: TestClient;
let url: string;

const governance = (port: number): string => `
version: 1
policy: { rules: [{ name: all, tools: ['leaky.*'], effect: allow }] }
providers:
  leaky:
    command: ${NODE}
    args: [${JSON.stringify(PROGRAM)}]
    env: { TOKEN: 'env:UPSTREAM_KEY' }
  exits:
    command: ${NODE}
    args: [-e, ${JSON.stringify(TELLS)}]
    env: { TOKEN: 'file:${folder.file('key')}' }
  echoes:
    url: http://127.0.0.1:${port}/mcp
    headers: { Authorization: 'Bearer env:UPSTREAM_KEY' }
`;

const admin = async (path: string): Promise<string> => {
  const { body } = await httpRequest(new URL(path, url).href, {
    method: 'GET',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  return body;
};
const untilShown = (name: string, text: string): Promise<string> =>
  poll(
    `${name}: ${text}`,
    async () => {
      const body = await admin(`/admin/providers/${name}`);
      return body.includes(text) ? body : undefined;
    },
    30_000,
  );

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  // A server that quotes what it received.
  echoing = createServer(({ headers }, response) => {
    response.writeHead(500).end(`refused: ${JSON.stringify(headers)}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => echoing.once('listening', resolve));
  const { port } = echoing.address() as AddressInfo;
  writeFiles(folder.path, { 'governance.yaml': governance(port), key: `${SECRET}\n` });
  pith = startPith(['http', '--index', index, '--port', '0'], {
    env: {
      PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
      PITH_ADMIN_TOKEN: ADMIN_TOKEN,
      PITH_LEDGER: 'on',
      UPSTREAM_KEY: SECRET,
      MCP_TOOL_NAMES: 'dotted',
      PITH_LOG_LEVEL: 'debug',
      MAX_RESPONSE_BYTES: '1024',
      RETRIEVAL_DIAGNOSTICS_DIR: folder.file('diagnostics'),
      RETRIEVAL_DIAGNOSTICS_FORCE: '1',
    },
  });
  url = await poll('a URL', async () => /http:\/\/\S+\/mcp/.exec(pith.stderr())?.[0], 20_000);
  await untilShown('leaky', 'New: ');
  const pins = pinsIn({ file: folder.file('index.governance.sqlite'), creates: false });
  const tools = (await pins.pins('leaky')).map(({ tool, listed }) => ({ tool, hash: listed?.hash ?? '' }));
  await pins.accept({ provider: 'leaky', tools, by: 'ann', at: 1 });
  await pins.close();
  client = await connectClient({ era: 'v1', transport: 'http', index, url });
  await poll('the tools', async () =>
    (await client.listTools()).some(({ name }) => name === 'leaky.leak') ? true : undefined,
  );
});

afterAll(async () => {
  await client?.close();
  await pith?.stop();
  echoing?.close();
  folder.remove();
});

/** Every mark of a beginning has its end. */
function fencesOf(result: CallResult): { open: number; closed: number } {
  const texts = [...result.content.map(({ text = '' }) => text), errorOf(result).message ?? ''];
  const text = texts.join('\n');
  const closed = text.match(/BEGIN UNTRUSTED DATA (\S{22}) from \S+\s[^]*?\sEND UNTRUSTED DATA \1/g) ?? [];
  return { open: text.match(/BEGIN UNTRUSTED/g)?.length ?? 0, closed: closed.length };
}

describe('the secrets of a provider', () => {
  it('are not in errors that quote them', async () => {
    const failed = await client.call('leaky.leak');
    const broken = await client.call('leaky.break');
    expect([failed.isError, broken.isError]).toEqual([true, true]);
    expect(JSON.stringify([failed, broken])).not.toContain(SECRET);
  });

  it('are not on the pages for operators', async () => {
    const echoed = await untilShown('echoes', 'Last failure');
    const bodies = [echoed, await untilShown('exits', 'Last failure')];
    for (const path of ['providers', 'providers/leaky', 'tools', 'settings', 'runs', 'health', 'config'])
      bodies.push(await admin(`/admin/${path}`));
    expect(bodies.filter((body) => body.includes(SECRET))).toEqual([]);
  });

  it('are not on stderr, not even with debug messages', async () => {
    await poll('the lines', async () => /started with/.test(pith.stderr()) || undefined);
    expect(pith.stderr()).toContain('started with [secret]');
    expect(pith.stderr()).toContain('sending [secret] upstream');
    expect(pith.stderr()).not.toContain(SECRET);
  });

  it('are not in files', async () => {
    await client.call('kb.search', { query: 'ship' });
    await client.call('kb.search', { query: '' });
    const files = await poll('a diagnostic', async () => {
      const found = readdirSync(folder.path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'key')
        .map((entry) => join(entry.parentPath, entry.name));
      return found.some((file) => file.startsWith(folder.file('diagnostics'))) ? found : undefined;
    });
    expect(files.filter((file) => readFileSync(file).includes(SECRET))).toEqual([]);
  });
});

describe('text of a provider in a result of at most 1,024 bytes', () => {
  it('keeps its end mark in a failure, or is left out', async () => {
    for (const tool of ['leaky.leak', 'leaky.fail', 'leaky.refuse']) {
      const result = await client.call(tool);
      const { open, closed } = fencesOf(result);
      expect(open).toBe(closed);
      expect(errorOf(result).message).toContain(`${tool} failed.`);
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(1_024);
    }
  });

  it.each([10, 300, 5_000])('keeps its end mark when it is clipped: %d characters', async (length) => {
    const result = await client.call('leaky.echo', { text: 'word '.repeat(length / 5) });
    const { open, closed } = fencesOf(result);
    expect(open).toBe(closed);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(1_024);
  });
});
