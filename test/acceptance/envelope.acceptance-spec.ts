import { join } from 'node:path';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { pinsIn } from '../support/governance-stores.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = {
  MCP_RESPONSE_ENVELOPE: 'on',
  MCP_LEGACY_TOOLS: 'listed',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  SURR_ENABLE_INNER_VOICE: '1',
  MCP_TOOL_NAMES: 'dotted',
};
const WIRES = ['v1', 'v2'] as const;
const SECTION = 'guides/waiting-list.mdx#leaving-the-list';

let server: HttpProcess;
let clients: Record<(typeof WIRES)[number], TestClient>;

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'governance.yaml': GOVERNANCE });
  await acceptTools();
  server = await startHttpProcess(index, { ...ENV, MAX_RESPONSE_BYTES: '3000' });
  clients = {
    v1: await connectClient({ era: 'v1', transport: 'stdio', index, env: ENV }),
    v2: await connectClient({ era: 'v2', transport: 'http', index, url: server.url }),
  };
  // A client checks results against the output schemas that it has listed.
  await Promise.all(WIRES.map((era) => clients[era].listTools()));
});

afterAll(async () => {
  await Promise.all(WIRES.map((era) => clients[era].close()));
  await server.stop();
  folder.remove();
});

interface Envelope {
  readonly status: string;
  readonly data?: Record<string, unknown>;
  readonly refs: readonly { type: string; id?: string }[];
  readonly warnings: readonly string[];
  readonly tool_call_id: string;
}

const envelopeOf = ({ _meta, structuredContent }: CallResult): Envelope =>
  Object(_meta?.['pith/envelope'] ?? structuredContent);

const sectionsOf = (result: CallResult): (string | undefined)[] =>
  envelopeOf(result)
    .refs.filter(({ type }) => type === 'section')
    .map(({ id }) => id);

describe.each(WIRES)('the response envelope (%s)', (era) => {
  it.each<[string, Record<string, unknown>]>([
    ['kb.search', { query: 'harbour waiting list' }],
    ['kb.retrieve_evidence', { question: 'How does a ship leave the waiting list?' }],
    ['graph.expand', { node_ids: [SECTION] }],
    ['graph.describe', { node_ids: [SECTION] }],
    ['graph.parents', { section_ids: [SECTION] }],
    ['graph.children', { parent_id: 'guides/waiting-list.mdx' }],
    ['graph.paths', { a_ids: [SECTION], b_ids: ['guides/waiting-list.mdx#order'] }],
    ['graph.entities_for_sections', { section_ids: [SECTION] }],
    ['graph.sections_for_entities', { entity_ids: ['entity:the wait list'] }],
    ['search_docs', { query: 'leave the waiting list' }],
    ['get_doc', { chunk_id: SECTION }],
    ['search_sections', { query: 'leave the waiting list' }],
    ['get_section_text', { section_ids: [SECTION] }],
    ['compute_context_bundle', { seeds: [SECTION] }],
    ['traverse_relationships', { start_ids: [SECTION] }],
    ['describe_nodes', { node_ids: [SECTION] }],
    ['summarize_neighborhood', { node_ids: [SECTION] }],
  ])('of %s has its status, its call and the sections in the result', async (tool, args) => {
    const result = await clients[era].call(tool, args);
    expect(envelopeOf(result)).toMatchObject({
      status: 'success',
      tool_call_id: result._meta?.['pith/tool_call_id'],
    });
    expect(sectionsOf(result)).toContain(SECTION);
  });

  it('has the passages of a session', async () => {
    const found = await clients[era].call('kb.search', { query: 'leave the waiting list' });
    const [passage] = envelopeOf(found).refs.filter(({ type }) => type === 'passage');
    const read = await clients[era].call('kb.read_excerpt', { passage_id: passage?.id ?? '' });
    expect(envelopeOf(read).refs).toContainEqual(passage);
    expect(envelopeOf(read).data).toMatchObject({ passage_id: passage?.id });
  });

  it.each([
    ['kb.search', {}],
    ['search_docs', {}],
    ['get_section_text', { section_ids: 5 }],
  ])('of a failed call of %s has the error', async (tool, args) => {
    const result = await clients[era].call(tool, args);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_ARGUMENT' } },
    });
    expect(envelopeOf(result)).toMatchObject({ status: 'error', refs: [] });
  });

  it('warns of a legacy name', async () => {
    const { warnings } = envelopeOf(await clients[era].call('list_parents', { section_ids: [SECTION] }));
    expect(warnings).toEqual([
      'list_parents is deprecated. Legacy name of graph.parents; prefer graph.parents.',
    ]);
  });

  it('keeps the output of inner_voice.retrieve', async () => {
    const { structuredContent, _meta } = await clients[era].call('inner_voice.retrieve', { query: 'ship' });
    expect(structuredContent).toHaveProperty('diagnostics');
    expect(_meta?.['pith/envelope']).toMatchObject({ status: 'success', refs: [] });
  });
});

const GOVERNANCE = `
version: 1
aliases: { find: kb.retrieve_evidence }
policy:
  rules:
    - { name: ask-operator, tools: [kb.search], effect: approve }
    - { name: echo, tools: [test.*], effect: allow }
providers:
  test:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(join(__dirname, '..', 'support', 'provider-server.cjs'))}]
`;

const GOVERNED = { ...ENV, PITH_GOVERNANCE_FILE: folder.file('governance.yaml'), PITH_SECRET: SECRET };

/** Accepts the tools of the provider, which a server notes a moment after its start. */
async function acceptTools(): Promise<void> {
  const file = folder.file('index.governance.sqlite');
  const pins = pinsIn({ file, creates: true });
  const server = await connectClient({ era: 'v2', transport: 'stdio', index, env: GOVERNED });
  const known = await poll('the tools', async () => {
    const listed = await pins.pins('test').catch(() => []);
    return listed.length > 0 ? listed : undefined;
  });
  const tools = known.flatMap(({ tool, listed }) => (listed ? [{ tool, hash: listed.hash }] : []));
  expect(await pins.accept({ provider: 'test', tools, by: 'ann', at: 1 })).toBe(true);
  await Promise.all([server.close(), pins.close()]);
}

describe.each(WIRES)('the response envelope of a governed server (%s)', (era) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connectClient({ era, transport: 'stdio', index, env: GOVERNED });
    await client.listTools();
  });
  afterAll(() => client.close());

  it('is pending while a call waits for an approval', async () => {
    const { isError, structuredContent } = await client.call('kb.search', { query: 'sail' });
    expect([isError, structuredContent]).toMatchObject([
      true,
      {
        status: 'pending',
        refs: [],
        error: { details: { reason: 'approval_required', approval_id: expect.any(String) } },
      },
    ]);
  });

  it('warns of an alias once', async () => {
    const result = await client.call('find', { question: 'How is a sail set?' });
    expect(envelopeOf(result).warnings).toEqual(['deprecated alias: find is now kb.retrieve_evidence']);
    expect(result._meta).not.toHaveProperty('pith/warnings');
  });

  it('is listed and returned for tools of providers, without refs to their data', async () => {
    // The call fails until the server has connected to the provider.
    const result = await poll('an answer', async () => {
      const answer = await client.call('test.echo', { text: '{"section_id":"a.md#b"}' });
      return answer.isError ? undefined : answer;
    });
    expect(envelopeOf(result)).toMatchObject({ status: 'success', data: { provider: 'test' }, refs: [] });
  });
});

describe('the response envelope of a server with a small limit', () => {
  it('counts towards the limit, and says what reduced the result', async () => {
    const query = { query: 'harbour waiting list ship berth', top_k: 20, page_size: 20 };
    const result = await clients.v2.call('kb.search', query);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(3_000);
    expect(envelopeOf(result).warnings).toEqual(['The result was shortened to fit its size limit.']);
    expect(envelopeOf(result).data).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
  });
});
