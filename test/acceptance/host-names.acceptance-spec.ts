import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostTableSchema } from '../../src/mcp/surface/host-profiles.js';
import { connectClient, type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { INITIALIZE, startStdio, type StdioProcess } from '../support/stdio-process.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const table = hostTableSchema.parse(
  JSON.parse(readFileSync(join(__dirname, '..', '..', 'config', 'hosts.json'), 'utf8')),
);
/** Every client of the host table and one that is not in it, with the spelling of its tool names. */
const CLIENTS = [
  ...Object.values(table).flatMap(({ clients, names }) =>
    clients.map((client) => [client.replace('*', 'x'), names] as const),
  ),
  ['claude-ai (via mcp-remote 0.1.37)', 'underscore'] as const,
  ['somebody-s-agent', 'underscore'] as const,
];
const folder = testFolder();
const index = folder.file('index.sqlite');
let http: HttpProcess;
let stdio: StdioProcess;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  http = await startHttpProcess(index);
  stdio = startStdio(index);
  await stdio.initialize();
}, 30_000);

afterAll(async () => {
  await Promise.all([http.stop(), stdio.stop()]);
  folder.remove();
});

/** The names of a list in the other spelling. */
const misspelled = (names: readonly string[]): string[] =>
  names.flatMap((name) =>
    name.includes('.')
      ? [name.replaceAll('.', '_')]
      : /^(?:kb|graph|scope|scratch)_/.test(name)
        ? [name.replace('_', '.')]
        : [],
  );

/** Everything about tools that a client sees before its first call. */
interface Shown {
  readonly names: readonly string[];
  readonly texts: string;
}

const shown = (tools: readonly { name: string; [key: string]: unknown }[], instructions = ''): Shown => ({
  names: tools.map(({ name }) => name),
  // Values of enums may look like tool names.
  texts: [instructions, ...(JSON.stringify(tools).match(/"description":"[^"]*"/g) ?? [])].join('\n'),
});

describe.each(CLIENTS)('a client that calls itself %s', (clientName, names) => {
  const search = names === 'dotted' ? 'kb.search' : 'kb_search';

  it(`sees ${names} names in all texts over STDIO`, async () => {
    const hello = await stdio.request('initialize', {
      ...INITIALIZE,
      clientInfo: { name: clientName, version: '1' },
    });
    const { result } = await stdio.request('tools/list');
    const list = shown(result?.['tools'] as never, String(hello.result?.['instructions']));
    expect(list.names).toContain(search);
    expect(misspelled(list.names).filter((name) => list.texts.includes(name))).toEqual([]);
  });

  it(`sees ${names} names over HTTP if each request names the client`, async () => {
    const client = await connectClient({ era: 'v2', transport: 'http', index, url: http.url, clientName });
    const list = shown(await client.listTools(), client.instructions());
    await client.close();
    expect(list.texts).toMatch(/^Pith answers/);
    expect(list.names).toContain(search);
    expect(misspelled(list.names).filter((name) => list.texts.includes(name))).toEqual([]);
  });

  // In the 2025 protocols only `initialize` names the client. Later requests have the session id that it got.
  it(`sees ${names} names over HTTP in its session`, async () => {
    const client = await connectClient({ era: 'v1', transport: 'http', index, url: http.url, clientName });
    const list = shown(await client.listTools());
    await client.close();
    expect(list.names).toContain(search);
    expect(misspelled(list.names).filter((name) => list.texts.includes(name))).toEqual([]);
  });
});
