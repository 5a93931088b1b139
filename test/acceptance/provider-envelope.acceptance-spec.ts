import { join } from 'node:path';
import { SqliteProviderPins } from '../../src/engines/sqlite/governance/sqlite-provider-pins.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import {
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const PROGRAM = join(__dirname, '..', 'support', 'provider-server.cjs');
const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  MCP_RESPONSE_ENVELOPE: 'on',
  MCP_TOOL_NAMES: 'dotted',
};
const GOVERNANCE = `
version: 1
policy: { rules: [{ name: test, tools: [test.*], effect: allow }] }
providers:
  test:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(PROGRAM)}, --state, ${JSON.stringify(folder.file('state.json'))}]
`;
const ERAS = ['v1', 'v2'] as const;

let server: HttpProcess;
let clients: Record<(typeof ERAS)[number], TestClient>;

/** Accepts everything that the provider lists. */
async function acceptAll(): Promise<void> {
  const pins = new SqliteProviderPins({ file: folder.file('index.governance.sqlite'), creates: true });
  const listed = await poll('listed tools', async () => {
    const known = await pins.pins('test').catch(() => []);
    return known.length > 0 ? known : undefined;
  });
  const tools = listed.flatMap(({ tool, listed: now }) => (now ? [{ tool, hash: now.hash }] : []));
  await pins.accept({ provider: 'test', tools, by: 'ann', at: 1 });
  await pins.close();
}

/** A client that has listed the tool, so that it checks results against the output schema. */
const listing = (era: (typeof ERAS)[number]): Promise<TestClient> =>
  poll(`test.echo for ${era}`, async () => {
    const client = await connectClient({ era, door: 'http', index, url: server.url });
    const isListed = (await client.listTools()).some(({ name }) => name === 'test.echo');
    if (isListed) return client;
    await client.close();
    return undefined;
  });

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE, 'state.json': '{}' });
  server = await startHttpProcess(index, ENV);
  await acceptAll();
  clients = { v1: await listing('v1'), v2: await listing('v2') };
});

afterAll(async () => {
  await Promise.all(ERAS.map((era) => clients[era].close()));
  await server.stop();
  folder.remove();
});

describe.each(ERAS)('the envelope of a tool of a provider (%s)', (era) => {
  it.each([
    ['test.echo', { text: 'hello' }],
    ['test.measure', {}],
  ])('fits the output schema that is listed for %s', async (tool, args) => {
    expect(await clients[era].call(tool, args)).toMatchObject({
      structuredContent: { status: 'success', data: {}, refs: [] },
    });
  });

  it('fits it when the call fails', async () => {
    expect(await clients[era].call('test.echo', {})).toMatchObject({
      isError: true,
      structuredContent: { status: 'error', error: { code: 'INVALID_ARGUMENT' } },
    });
  });
});
