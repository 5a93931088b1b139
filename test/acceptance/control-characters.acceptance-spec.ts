import {
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { ONE_OF_EACH } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const ENV = {
  MCP_LEGACY_TOOLS: 'listed',
  ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true',
  SURR_ENABLE_INNER_VOICE: '1',
  PITH_OPERATOR: '1',
  MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
};

/** An existing id before and after a NUL, and other control characters. */
const CONTROLS = ['\u0000', '\n', '\t', '\u001b', '\u007f', '\u0085', '\u009b'];

const ids = (id: string): unknown[] => [id];
/** Every field of every tool that is an id, a filter, a scope or a cursor, filled with one text. */
const FIELDS: readonly [tool: string, args: (text: string) => Record<string, unknown>][] = [
  ['kb.search', (text) => ({ query: 'kestrel', filters: { doc_tag: ids(text) } })],
  ['kb.search', (text) => ({ query: 'kestrel', filters: { path_prefix: text } })],
  ['kb.search', (text) => ({ query: 'kestrel', filters: { updated_after: text } })],
  ['kb.search', (text) => ({ query: 'kestrel', scope: { project_id: text } })],
  ['kb.search', (text) => ({ query: 'kestrel', scope: { environment: text } })],
  ['kb.search', (text) => ({ query: 'kestrel', scope: { doc_tags: ids(text) } })],
  ['kb.search', (text) => ({ query: 'kestrel', scope: { repositories: ids(text) } })],
  ['kb.search', (text) => ({ query: 'kestrel', cursor: text })],
  ['kb.retrieve_evidence', (text) => ({ question: 'kestrel', filters: { doc_tag: ids(text) } })],
  ['kb.read_excerpt', (text) => ({ passage_id: text })],
  ['kb.expand_excerpt', (text) => ({ passage_id: text })],
  ['kb.extract_evidence', (text) => ({ passage_ids: ids(text), question: 'kestrel' })],
  ['search_docs', (text) => ({ query: 'kestrel', kind: text })],
  ['search_docs', (text) => ({ query: 'kestrel', cursor: text })],
  ['get_doc', (text) => ({ chunk_id: text })],
  ['graph.describe', (text) => ({ node_ids: ids(text) })],
  ['graph.expand', (text) => ({ node_ids: ids(text) })],
  ['graph.paths', (text) => ({ a_ids: ids(text), b_ids: ids('page.md') })],
  ['graph.parents', (text) => ({ section_ids: ids(text) })],
  ['graph.children', (text) => ({ parent_id: text })],
  ['graph.entities_for_sections', (text) => ({ section_ids: ids(text) })],
  ['graph.sections_for_entities', (text) => ({ entity_ids: ids(text) })],
  ['scope.describe', (text) => ({ scope: { doc_tags: ids(text) } })],
  ['diagnostics.get', (text) => ({ diagnostic_id: text })],
  ['inner_voice.retrieve', (text) => ({ query: 'kestrel', include_tags: ids(text) })],
  ['search_sections', (text) => ({ query: 'kestrel', filters: { doc_tag: text } })],
  ['search_sections', (text) => ({ query: 'kestrel', session_id: text })],
  ['search_sections', (text) => ({ query: 'kestrel', filters: { document_id: ids(text) } })],
  ['search_documentation', (text) => ({ query: 'kestrel', verbosity: text })],
  ['describe_nodes', (text) => ({ node_ids: ids(text) })],
  ['get_section_text', (text) => ({ section_ids: ids(text) })],
  ['list_children', (text) => ({ parent_id: text })],
  ['list_parents', (text) => ({ section_ids: ids(text) })],
  ['expand_neighbors', (text) => ({ node_ids: ids(text) })],
  ['get_paths_between', (text) => ({ a_ids: ids(text), b_ids: ids('page.md') })],
  ['get_entities_for_sections', (text) => ({ section_ids: ids(text) })],
  ['get_sections_for_entities', (text) => ({ entity_ids: ids(text) })],
  ['compute_context_bundle', (text) => ({ seeds: ids(text) })],
  ['traverse_relationships', (text) => ({ start_ids: ids(text) })],
  ['summarize_neighborhood', (text) => ({ node_ids: ids(text) })],
];

let http: HttpProcess;

beforeAll(async () => {
  writeFiles(folder.file('docs'), {
    'page.md': '---\ndoc_tag: birds\n---\n\n# Page\n\nThe kestrel nests high in the tower.\n',
    'line\nfeed.md': '# Feed\n\nThe osprey dives for fish.\n',
    '.pith.yaml': [
      'project: birds',
      'taxonomy: { kind: { resource: true } }',
      'metadata: { kind: bird }',
      'prompts:',
      '  - name: tell',
      '    arguments: [{ name: what, required: true }]',
      '    messages: [{ role: user, content: "Tell of {{what}}" }]',
    ].join('\n'),
  });
  await pithIndex(folder.file('docs'), index);
  http = await startHttpProcess(index, ENV);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

describe.each(ONE_OF_EACH)('control characters of a %s client over %s', (era, transport) => {
  let client: TestClient;

  beforeAll(async () => {
    client = await connectClient({ era, transport, index, url: http.url, env: ENV });
  });

  afterAll(() => client.close());

  it('are refused in ids, filters, scopes and cursors of every tool', async () => {
    const outcomes: string[] = [];
    for (const [tool, args] of FIELDS) {
      // Over HTTP this client is not an operator, and gets that error instead.
      if (tool === 'diagnostics.get' && transport === 'http') continue;
      for (const control of CONTROLS) {
        const { isError, structuredContent } = await client.call(tool, args(`birds${control}x`));
        const { code = 'answered' } = (structuredContent?.['error'] ?? {}) as { code?: string };
        const { message = '' } = (structuredContent?.['error'] ?? {}) as { message?: string };
        const isTold =
          /control character|has invalid format|UUID|ISO-8601|cursor was not issued|passage/i.test(message);
        if (isError !== true || code !== 'INVALID_ARGUMENT' || !isTold)
          outcomes.push(`${tool} ${JSON.stringify(args(control))}: ${code} ${message}`);
      }
    }
    expect(outcomes).toEqual([]);
  }, 60_000);

  it('are tested on every tool', async () => {
    const listed = (await client.listTools()).map(({ name }) => name);
    const tried = FIELDS.map(([tool]) => tool);
    // It accepts no text.
    expect(listed.filter((tool) => !tried.includes(tool))).toEqual(['scratch.list']);
  });

  it('are named in the error', async () => {
    const { structuredContent } = await client.call('graph.describe', { node_ids: ['page.md\u0000'] });
    expect(structuredContent).toMatchObject({
      error: { message: expect.stringMatching(/node_ids\.0: .*control character/) },
    });
  });

  it('are accepted in questions, which may be pasted from anywhere', async () => {
    const question = 'the kestrel\n\tnests\u0000 where';
    for (const [tool, args] of [
      ['kb.search', { query: question, keywords: ['a\tb'] }],
      ['kb.retrieve_evidence', { question, keywords: ['a\tb'], parts: ['one\ntwo'] }],
      ['search_docs', { query: question }],
      ['search_sections', { query: question }],
    ] as const) {
      const { isError } = await client.call(tool, args);
      expect([tool, isError]).toEqual([tool, undefined]);
    }
  });

  it.each([
    'docs:///page.md%00',
    'docs:///page.md%00/../x',
    'docs:///page.md\u0000',
    'docs:///page.md\n',
    'docs:///page.md%0A',
    'docs:///%00page.md',
  ])('identify no resource: %j', async (uri) => {
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32602 });
  });

  it.each(['page.md%00', 'page.md%00/../x', 'page.md%00#_document'])(
    'identify no node or chunk: %s',
    async (id) => {
      const described = await client.call('graph.describe', { node_ids: [id] });
      expect(JSON.stringify(described.structuredContent)).not.toContain('"Page"');
      expect(await client.call('get_doc', { chunk_id: id })).toMatchObject({ isError: true });
      const texts = await client.call('get_section_text', { section_ids: [id] });
      expect(JSON.stringify(texts.structuredContent)).not.toContain('kestrel');
      const filtered = await client.call('kb.search', { query: 'kestrel', filters: { path_prefix: id } });
      expect(filtered.structuredContent).toMatchObject({ results: [] });
    },
  );

  it('can be read in file names, as URI and id spell them', async () => {
    const { contents } = await client.readResource('docs:///line%0Afeed.md');
    expect(contents[0]?.text).toContain('osprey');
    expect((await client.call('get_doc', { chunk_id: 'line%0Afeed.md' })).isError).toBeUndefined();
  });

  it('are refused in prompt names, and NUL in prompt arguments', async () => {
    await expect(client.getPrompt('tell\u0000', { what: 'x' })).rejects.toMatchObject({ code: -32602 });
    for (const what of ['a\u0000b', 'a\u001b[31m', 'a\u009b'])
      await expect(client.getPrompt('tell', { what })).rejects.toMatchObject({ code: -32602 });
    const lines = await client.getPrompt('tell', { what: 'a\n\tb\r\n' });
    expect(JSON.stringify(lines.messages)).toContain('a\\n\\tb');
  });
});
