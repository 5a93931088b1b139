import { writeFileSync } from 'node:fs';
import { connectHost, type EmulatedHost, HOSTS, modelSees } from '../support/hosts.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SENTENCE = 'after twelve hours without a sign of life';
const SECTION = 'guides/waiting-list.mdx#leaving-the-list';

type Host = Pick<TestClient, 'listTools' | 'call' | 'close'>;

let http: HttpProcess;
let connected: Map<string, Host>;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  http = await startHttpProcess(index);
  const open = async (host: EmulatedHost) => [host.title, await connectHost(host, index, http.url)] as const;
  connected = new Map(await Promise.all(HOSTS.map(open)));
}, 30_000);

afterAll(async () => {
  await Promise.all([...connected.values()].map((host) => host.close()));
  await http.stop();
  folder.remove();
});

describe.each(HOSTS.map((host) => [host.title, host] as const))('a host that %s', (title, host) => {
  const own = (): Host => {
    const client = connected.get(title);
    if (!client) throw new Error(`${title} is not connected`);
    return client;
  };

  /** Calls the tool by its listed name. */
  async function call(tool: string, args: Record<string, unknown>): Promise<CallResult> {
    const listed = (await own().listTools()).map(({ name }) => name);
    return own().call(String(listed.find((name) => name.replace('.', '_') === tool)), args);
  }

  it('sees names that it accepts', async () => {
    const names = (await own().listTools()).map(({ name }) => name);
    expect(names).toHaveLength(16);
    expect(names.filter((name) => !host.accepts.test(name))).toEqual([]);
    expect(names).toContain(host.names === 'dotted' ? 'kb.search' : 'kb_search');
  });

  it('sees the same names in descriptions of tools', async () => {
    const descriptions = (await own().listTools()).map(({ description }) => String(description)).join('\n');
    const wrong = host.names === 'dotted' ? /\bkb_\w+/g : /\bkb\.\w+/g;
    expect(descriptions.match(wrong)).toBeNull();
  });

  it('gets a sufficient answer: the quote and its section', async () => {
    const question = 'When does a ship leave the waiting list?';
    const seen = modelSees(host, await call('kb_retrieve_evidence', { question }));
    expect(seen).toContain(SENTENCE);
    expect(seen).toContain(SECTION);
  });

  it('can go from a search to the text with only the output that its model sees, without resources', async () => {
    const found = modelSees(host, await call('kb_search', { query: 'leave the waiting list' }));
    const passage_id = /passage_id"?: *"?([\w-]+)/.exec(found)?.[1];
    const read = modelSees(host, await call('kb_read_excerpt', { passage_id }));
    expect(found).toContain(SECTION);
    expect(read).toContain(SENTENCE);
    expect(read).toContain(SECTION);
  });

  it('can go to the next page with only the output that its model sees', async () => {
    const args = { query: 'ship berth harbour', page_size: 2 };
    const first = modelSees(host, await call('kb_search', args));
    const cursor = /cursor"?:? *"?([\w-]{30,})/.exec(first)?.[1];
    const second = await call('kb_search', { ...args, cursor });
    expect(second.isError).toBeUndefined();
    expect(modelSees(host, second)).toMatch(/(?:^|\n)3\. |"rank":3/);
  });

  it('sees the problem and the next step in an error', async () => {
    const seen = modelSees(host, await call('kb_read_excerpt', { passage_id: 'unknown' }));
    expect(seen).toContain('INVALID_ARGUMENT');
    expect(seen).toMatch(/kb[._]search/);
  });

  it('sees that the documents contain no answer', async () => {
    const result = await call('kb_retrieve_evidence', { question: 'xylophone zeppelin?' });
    expect(modelSees(host, result)).toMatch(/not in here|do not answer|unlikely/);
  });

  it('sees the same names in errors', async () => {
    const seen = modelSees(host, await call('kb_read_excerpt', { passage_id: 'unknown' }));
    const wrong = host.names === 'dotted' ? /\bkb_\w+/g : /\bkb\.\w+/g;
    expect(seen.match(wrong)).toBeNull();
  });
});

describe('a host that forwards both forms', () => {
  it('gets one line of content, without quotes', async () => {
    const question = 'When does a ship leave the waiting list?';
    const host = connected.get('forwards both forms');
    const result = await host?.call('kb.retrieve_evidence', { question });
    const text = String(result?.content[0]?.text);
    expect(text.length).toBeLessThan(200);
    expect(text).not.toContain(SENTENCE);
  });
});

describe('names and rendering from settings', () => {
  let chosen: HttpProcess;
  let profiled: HttpProcess;

  beforeAll(async () => {
    const hosts = folder.file('hosts.json');
    const own = {
      clients: ['somebody-s-agent'],
      names: 'underscore',
      render: 'summary',
      resourceLinks: false,
    };
    writeFileSync(hosts, JSON.stringify({ own }));
    [chosen, profiled] = await Promise.all([
      startHttpProcess(index, { MCP_TOOL_NAMES: 'underscore', MCP_RENDER: 'summary' }),
      startHttpProcess(index, { PITH_HOSTS_FILE: hosts, PITH_HOST_PROFILE: 'claude-code' }),
    ]);
  });

  afterAll(() => Promise.all([chosen.stop(), profiled.stop()]));

  const connect = (url: string, clientName: string) =>
    connectClient({ era: 'v2', transport: 'http', index, url, clientName });

  it('override the table of hosts', async () => {
    const client = await connect(chosen.url, 'Visual Studio Code');
    const names = (await client.listTools()).map(({ name }) => name);
    const result = await client.call('kb_search', { query: 'leave the waiting list' });
    await client.close();
    expect(names).toContain('kb_search');
    expect(result.content[0]?.text).not.toContain(SENTENCE);
  });

  it('come from PITH_HOSTS_FILE for the hosts in it', async () => {
    const client = await connect(profiled.url, 'somebody-s-agent');
    const names = (await client.listTools()).map(({ name }) => name);
    await client.close();
    expect(names).toContain('kb_search');
  });

  it('come from the shipped table for other hosts', async () => {
    const client = await connect(profiled.url, 'cursor-vscode');
    const names = (await client.listTools()).map(({ name }) => name);
    await client.close();
    expect(names).toContain('kb_search');
  });
});
