import { join } from 'node:path';
import { ProviderPins } from '../../src/governance/providers/provider-pins.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { LoopProbe, watchedEnv } from '../support/event-loop.js';
import { pinsIn } from '../support/governance-stores.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

/** Longest time without a turn of the event loop (ms). */
const MAX_MS = 50;
/** The shortest of these counts, because other processes slow some of them. */
const TRIES = 4;

const PROGRAM = join(__dirname, '..', 'support', 'provider-server.cjs');
const folder = testFolder();
const index = folder.file('index.sqlite');
const socket = folder.file('loop');
let client: TestClient;
let probe: LoopProbe;

const entry = (args: readonly string[]): string =>
  `{ command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([PROGRAM, ...args])}, rate_per_minute: 1000 }`;
const GOVERNANCE = `
version: 1
policy:
  rules: [{ name: all, tools: [modern.*, older.*], effect: allow }]
providers:
  modern: ${entry([])}
  older: ${entry(['--legacy'])}
`;

async function acceptAll(provider: string, pins: ProviderPins): Promise<void> {
  const listed = await poll('listed tools', async () => {
    const known = await pins.pins(provider).catch(() => []);
    return known.length > 0 ? known : undefined;
  });
  const tools = listed.flatMap(({ tool, listed: now }) => (now ? [{ tool, hash: now.hash }] : []));
  await pins.accept({ provider, tools, by: 'ann', at: 1 });
}

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
  const env = {
    ...{ PITH_GOVERNANCE_FILE: folder.file('governance.yaml'), MCP_TOOL_NAMES: 'dotted' },
    ...{ PITH_RATE_PER_MINUTE: '0', ...watchedEnv(socket) },
  };
  client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
  const pins = pinsIn({ file: folder.file('index.governance.sqlite'), creates: true });
  for (const provider of ['modern', 'older']) await acceptAll(provider, pins);
  await pins.close();
  await poll('the tools', async () => {
    const names = (await client.listTools()).map(({ name }) => name);
    return ['modern.flood', 'older.flood'].every((name) => names.includes(name)) || undefined;
  });
  probe = await LoopProbe.open(socket);
  await client.call('modern.echo', { text: 'warm' });
  await client.call('older.echo', { text: 'warm' });
  await client.call('scope.describe', {});
}, 60_000);

afterAll(async () => {
  probe.close();
  await client.close();
  folder.remove();
});

/** Longest hold of the loop during a flood, and what came back. */
async function flood(
  provider: string,
  kind: string,
): Promise<{ readonly heldMs: number; readonly text: string }> {
  await probe.worstMs();
  const { content } = await client.call(`${provider}.flood`, { kind });
  // Another caller is answered meanwhile and afterwards.
  await client.call('scope.describe', {});
  const text = content.map((block) => block.text ?? '').join('\n');
  return { heldMs: await probe.worstMs(), text };
}

describe.each(['modern', 'older'])('a provider (%s)', (provider) => {
  it.each([
    ['keys', 'more than 1000 keys'],
    ['small objects', 'more than 60000 keys and array items'],
    ['text', 'word'],
    ['notifications', 'sent'],
    ['odd notifications', 'sent'],
    ['lines on stderr', 'sent'],
    ['a line on stderr', 'sent'],
  ])(
    `that sends %s does not block the event loop for ${MAX_MS} ms`,
    async (kind, answer) => {
      const held: number[] = [];
      for (let i = 0; i < TRIES && Math.min(...held, Infinity) >= MAX_MS; i++) {
        const { heldMs, text } = await flood(provider, kind);
        expect(text).toContain(answer);
        held.push(heldMs);
      }
      console.log(`${provider}, ${kind}: ${held.map((ms) => ms.toFixed(0)).join(', ')} ms`);
      expect(Math.min(...held)).toBeLessThan(MAX_MS);
    },
    60_000,
  );
});
