import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import {
  connectClient,
  type Door,
  type Era,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

const GOVERNANCE = `
version: 1
capabilities:
  search: [kb.*, search_docs, get_doc]
agents:
  support: { capabilities: [search], mounts: [documents] }
  sealed: { capabilities: ['*'], template: sealed }
  partial: { capabilities: ['*'], template: partial }
  audited: { capabilities: ['*'] }
policy:
  rules:
    - { name: no-evidence, tools: [kb.retrieve_evidence], agents: [audited], effect: deny, reason: Closed for the audit. }
  templates:
    partial:
      - { name: no-tagged, tools: [kb.*], scope: { doc_tags: [secret] }, effect: deny }
    sealed:
      - { name: no-documents, tools: [kb.*], effect: deny }
`;

const clients = new Map<string, Promise<TestClient>>();
const servers: HttpProcess[] = [];

const envFor = (agent: string): Record<string, string> => ({
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_AGENT: agent,
  MCP_LEGACY_TOOLS: 'listed',
  MCP_TOOL_NAMES: 'dotted',
});

async function connect(agent: string, era: Era, door: Door): Promise<TestClient> {
  const env = envFor(agent);
  if (door === 'stdio') return connectClient({ era, door, index, env });
  const server = await startHttpProcess(index, env);
  servers.push(server);
  return connectClient({ era, door, index, url: server.url });
}

/** The client of an agent over one transport; each is connected once. */
function clientOf(agent: string, [era, door]: readonly [Era, Door] = ['v1', 'stdio']): Promise<TestClient> {
  const key = [agent, era, door].join();
  const client = clients.get(key) ?? connect(agent, era, door);
  clients.set(key, client);
  return client;
}

const detailsOf = async (client: TestClient, tool: string, args: object): Promise<unknown> =>
  (await client.call(tool, { ...args })).structuredContent?.['error'];

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
});

afterAll(async () => {
  await Promise.all([...clients.values()].map(async (client) => (await client).close()));
  await Promise.all(servers.map((server) => server.stop()));
  folder.remove();
});

const WIRES: readonly (readonly [Era, Door])[] = [
  ['v1', 'stdio'],
  ['v2', 'http'],
];

describe('governance', () => {
  it.each(WIRES)('lists the tools of the agent (%s, %s)', async (...wire) => {
    const client = await clientOf('support', wire);
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'kb.retrieve_evidence',
      'kb.search',
      'kb.read_excerpt',
      'kb.expand_excerpt',
      'kb.extract_evidence',
      'search_docs',
      'get_doc',
    ]);
  });

  it.each(WIRES)('refuses a tool that is not listed (%s, %s)', async (...wire) => {
    const client = await clientOf('support', wire);
    expect(await detailsOf(client, 'scratch.list', {})).toMatchObject({
      code: 'SCOPE_VIOLATION',
      details: { reason: 'permission_denied' },
    });
  });

  it.each(WIRES)('names the rule that denied a call, and its reason (%s, %s)', async (...wire) => {
    const client = await clientOf('audited', wire);
    expect(await detailsOf(client, 'kb.retrieve_evidence', { question: 'How?' })).toMatchObject({
      code: 'SCOPE_VIOLATION',
      message: 'Closed for the audit.',
      details: { reason: 'permission_denied', rule: 'no-evidence' },
    });
  });

  it.each([
    ['kb_retrieve_evidence', { question: 'How?' }],
    ['search_docs', { query: 'sails' }],
    ['get_doc', { chunk_id: 'x' }],
    ['search_sections', { query: 'sails' }],
    ['get_section_text', { section_ids: ['x'] }],
  ])('denies %s with the tool that it stands for', async (tool, args) => {
    const client = await clientOf('audited');
    expect(await detailsOf(client, tool, args)).toMatchObject({ details: { rule: 'no-evidence' } });
  });

  it('denies documents as resources', async () => {
    const client = await clientOf('audited');
    await expect(client.readResource('docs:///anything.md')).rejects.toThrow('Closed for the audit.');
  });

  it('checks arguments before the policy', async () => {
    const client = await clientOf('audited');
    expect(await detailsOf(client, 'kb.retrieve_evidence', { question: 5 })).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('lists no documents, prompts and templates of tools that are not offered', async () => {
    const client = await clientOf('sealed');
    expect({
      resources: (await client.listResources()).resources,
      prompts: await client.listPrompts(),
      templates: await client.listResourceTemplates(),
    }).toEqual({ resources: [], prompts: [], templates: [] });
  });

  it('lists no documents and prompts that a rule for some documents denies', async () => {
    const client = await clientOf('partial');
    expect((await client.listTools()).map(({ name }) => name)).toContain('get_doc');
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource('docs:///anything.md')).rejects.toThrow('denied by policy');
  });

  it('denies snippets of graph tools with document text', async () => {
    const client = await clientOf('audited');
    const args = { node_ids: ['x'], include_snippet: true };
    expect(await detailsOf(client, 'graph.describe', args)).toMatchObject({
      details: { rule: 'no-evidence' },
    });
  });

  it('does not start with an unknown agent, and names those of the file', async () => {
    await expect(startHttpProcess(index, envFor('nobody'))).rejects.toThrow(
      /PITH_AGENT: no agent is named nobody\. Agents of PITH_GOVERNANCE_FILE: support, sealed, partial, audited/,
    );
  });

  it('does not start with a broken file, and names the line', async () => {
    writeFiles(folder.path, { 'broken.yaml': 'version: 1\nagents:\n  bot: {}\n' });
    await expect(
      startHttpProcess(index, { PITH_GOVERNANCE_FILE: folder.file('broken.yaml') }),
    ).rejects.toThrow(/broken\.yaml:3: agents\.bot\.capabilities: /);
  });
});
