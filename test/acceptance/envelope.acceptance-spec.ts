import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';

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
  server = await startHttpProcess(index, { ...ENV, MAX_RESPONSE_BYTES: '3000' });
  clients = {
    v1: await connectClient({ era: 'v1', door: 'stdio', index, env: ENV }),
    v2: await connectClient({ era: 'v2', door: 'http', index, url: server.url }),
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

describe('the response envelope of a server with a small limit', () => {
  it('counts towards the limit, and says what reduced the result', async () => {
    const query = { query: 'harbour waiting list ship berth', top_k: 20, page_size: 20 };
    const result = await clients.v2.call('kb.search', query);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(3_000);
    expect(envelopeOf(result).warnings).toEqual(['The result was shortened to fit its size limit.']);
    expect(envelopeOf(result).data).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
  });
});
