import { failureOf } from '../support/failures.js';
import type { CallResult, TransportName } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { openSite, type Site, V1 } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const many = folder.file('many.sqlite');

/** More documents than a page of 100 holds, no two of them alike. */
const PAGES = Object.fromEntries(
  Array.from({ length: 130 }, (_, i) => [
    `page-${i}.md`,
    `# Valve ${i}\n\nThe kestrel valve number${i} of hall${i * 7} closes. ${'It clicks. '.repeat(i % 9)}\n`,
  ]),
);

interface Page {
  readonly results: { readonly section_id: string; readonly rank: number }[];
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly session_id: string;
  readonly partial: boolean;
  readonly limit_reason: string;
}

type Name = 'plain' | 'many' | 'small' | 'off' | 'oldest' | 'onlyOld' | 'core' | 'guides' | 'noGraph';
let sites: Record<Name, Site>;

beforeAll(async () => {
  writeFiles(folder.file('many'), PAGES);
  await Promise.all([pithIndex(FIXTURE_CORPUS, index), pithIndex(folder.file('many'), many)]);
  const open = (env: Record<string, string>) => openSite(index, { transports: V1, env });
  const [plain, manySite, small] = await Promise.all([
    open({}),
    openSite(many, { transports: V1 }),
    openSite(many, { transports: V1, env: { MAX_RESPONSE_BYTES: '8192' } }),
  ]);
  const [off, oldest, onlyOld] = await Promise.all([
    open({ MCP_LEGACY_TOOLS: 'off' }),
    open({ ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'yes' }),
    open({ MCP_KB_V2_ENABLED: 'false' }),
  ]);
  const [core, guides, noGraph] = await Promise.all([
    open({ MCP_TOOLSET: 'core' }),
    open({ PITH_DOC_TAGS: 'guide' }),
    open({ PITH_GRAPH_ENGINE: 'none' }),
  ]);
  sites = { plain, many: manySite, small, off, oldest, onlyOld, core, guides, noGraph };
}, 60_000);

afterAll(async () => {
  await Promise.all(Object.values(sites ?? {}).map((site) => site.stop()));
  folder.remove();
});

describe.each<[TransportName]>([['stdio'], ['http']])('the older tools over %s', (transport) => {
  const call = (name: string, args: Record<string, unknown>, site: Name = 'plain') =>
    sites[site].client('v1', transport).call(name, args);
  const pageOf = ({ structuredContent }: CallResult) => structuredContent as unknown as Page;
  const search = async (args: Record<string, unknown> = {}, site: Name = 'many') =>
    pageOf(await call('search_sections', { query: 'kestrel valve', ...args }, site));
  const namesOf = async (site: Name) =>
    (await sites[site].client('v1', transport).listTools()).map(({ name }) => name);

  it('are callable by default without being listed', async () => {
    expect((await namesOf('plain')).filter((name) => !name.includes('.'))).toEqual([
      'search_docs',
      'get_doc',
    ]);
    expect((await call('search_sections', { query: 'ship' })).isError).toBeUndefined();
  });

  it('are listed where the newer ones are off, which say so', async () => {
    const names = await namesOf('onlyOld');
    expect(names).toEqual(expect.arrayContaining(['search_sections', 'compute_context_bundle']));
    expect(names.filter((name) => name.startsWith('kb.'))).toEqual([]);
    const refused = await call('kb.search', { query: 'ship' }, 'onlyOld');
    expect(failureOf(refused)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'feature_disabled' });
  });

  it('say so where they are off', async () => {
    const refused = await call('search_sections', { query: 'ship' }, 'off');
    expect(failureOf(refused)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'feature_disabled' });
  });

  it('have search_documentation only where it is switched on', async () => {
    const refused = await call('search_documentation', { query: 'ship' });
    expect(failureOf(refused)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'feature_disabled' });
    expect((await call('search_documentation', { query: 'ship' }, 'oldest')).isError).toBeUndefined();
    expect(await namesOf('oldest')).not.toContain('search_documentation');
  });

  it('stay callable with the small toolset', async () => {
    expect(await namesOf('core')).toHaveLength(3);
    expect((await call('search_sections', { query: 'ship' }, 'core')).isError).toBeUndefined();
  });

  it('give the JSON of the result as text, key by key', async () => {
    const result = await call('search_sections', { query: 'ship', page_size: 2 });
    expect(result.content).toMatchObject([{ type: 'text' }]);
    expect(Object.keys(JSON.parse(result.content[0]?.text ?? '') as object)).toEqual([
      ...['results', 'cursor', 'next_cursor', 'session_id', 'partial', 'limit_reason', 'meta'],
    ]);
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
  });

  it('ignore what they do not know, and a scope too', async () => {
    const odd = { colour: 'red', scope: 'all', options: 7 };
    const { results } = await search(odd);
    expect(results).toHaveLength(25);
  });

  it('refuse wrong types', async () => {
    const refused = await call('search_sections', { query: ['ship'] });
    expect(failureOf(refused)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'invalid_input' });
  });

  it('keep the configured scope', async () => {
    const result = await call('search_sections', { query: 'ship berth token', scope: {} }, 'guides');
    const { results } = result.structuredContent as { results: { doc_tag: string }[] };
    expect([...new Set(results.map(({ doc_tag }) => doc_tag))]).toEqual(['guide']);
    const read = await call('get_section_text', { section_ids: ['reference/api.md'] }, 'guides');
    expect(read.structuredContent).toMatchObject({ results: [] });
  });

  it.each([
    [{}, 25, false],
    [{ top_k: 5 }, 25, false],
    [{ top_k: 5, page_size: 5 }, 5, false],
    [{ top_k: 50 }, 25, true],
    [{ page_size: 500 }, 100, false],
  ])('search_sections %j lists %i rows', async (args, rows, hasMore) => {
    const { results, next_cursor } = await search(args);
    expect(results).toHaveLength(rows);
    expect(next_cursor !== null).toBe(hasMore);
  });

  it('search_sections ends with the page that top_k reaches', async () => {
    const first = await search({ top_k: 50 });
    const second = await search({ top_k: 50, cursor: first.next_cursor });
    expect(first.next_cursor).toBe('MjU=');
    expect(second).toMatchObject({ cursor: 'MjU=', next_cursor: null });
    expect(second.results.map(({ rank }) => rank)).toEqual(Array.from({ length: 25 }, (_, i) => 26 + i));
    const ids = [...first.results, ...second.results].map(({ section_id }) => section_id);
    expect(new Set(ids).size).toBe(50);
  });

  it('search_sections takes a cursor that it cannot read for the beginning, and echoes it', async () => {
    const page = await search({ cursor: 'no cursor!' });
    expect(page.cursor).toBe('no cursor!');
    expect(page.results[0]?.rank).toBe(1);
  });

  it('search_sections flags an ordinary call as over its share, and sends it whole', async () => {
    const page = await search();
    expect(page).toMatchObject({ partial: true, limit_reason: 'token_cap' });
    expect(page).toMatchObject({ meta: { usage: { tokens_estimate: expect.any(Number) } } });
    const { meta } = page as unknown as { meta: { usage: Record<string, number> } };
    expect(meta.usage['tokens_estimate']).toBeGreaterThan(2_100);
    expect(meta.usage['bytes_returned']).toBeGreaterThan(8_000);
  });

  it('search_sections drops rows from the end for MAX_RESPONSE_BYTES, and goes on from there', async () => {
    const result = await call('search_sections', { query: 'kestrel valve' }, 'small');
    const page = pageOf(result);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(8_192);
    expect(page).toMatchObject({ partial: true, limit_reason: 'byte_cap' });
    const next = await search({ cursor: page.next_cursor }, 'small');
    expect(next.results[0]?.rank).toBe(page.results.length + 1);
  });

  it('search_sections gives slim rows on request', async () => {
    const { results } = await search({ include_debug: false });
    expect(Object.keys(results[0] ?? {})).toEqual([
      ...['section_id', 'title', 'tokens', 'doc_tag', 'score', 'rank', 'source'],
    ]);
  });

  it('echo a session id, which opens nothing, and keep one of their own otherwise', async () => {
    expect(await search({ session_id: 'mine' })).toMatchObject({ session_id: 'mine' });
    const [one, two] = [await search(), await search({ session_id: null })];
    expect(one.session_id).toMatch(/^server-[0-9a-f-]{36}$/);
    expect(two.session_id).toBe(one.session_id);
  });

  it('get_section_text reads sections that search_sections found', async () => {
    const { results } = pageOf(await call('search_sections', { query: 'leave the waiting list' }));
    const section_ids = ['nothing', String(results[0]?.section_id)];
    const read = await call('get_section_text', { section_ids });
    expect(read.structuredContent).toMatchObject({
      results: [
        {
          section_id: 'guides/waiting-list.mdx#leaving-the-list',
          text_truncated: expect.stringContaining('after twelve hours'),
          truncated: false,
          source_blob_id: null,
        },
      ],
      hints: { next_tools: ['expand_neighbors', 'describe_nodes'] },
    });
  });

  it('get_section_text cuts at max_bytes_per, and refuses a negative one', async () => {
    const section_ids = ['guides/waiting-list.mdx#leaving-the-list'];
    const read = await call('get_section_text', { section_ids, max_bytes_per: 10 });
    expect(read.structuredContent).toMatchObject({ results: [{ bytes: 10, truncated: true }] });
    const refused = await call('get_section_text', { section_ids, max_bytes_per: -5 });
    expect(failureOf(refused)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'invalid_input' });
  });

  it('search_documentation answers in its own shape, and its errors too', async () => {
    const args = { query: 'When does a ship leave the waiting list?' };
    const { structuredContent } = await call('search_documentation', args, 'oldest');
    expect(Object.keys(structuredContent ?? {})).toEqual(['answer_markdown', 'answer_json']);
    expect(structuredContent).toMatchObject({
      answer_json: { evidence: [{ section_id: 'guides/waiting-list.mdx#leaving-the-list' }, {}, {}, {}, {}] },
    });
    const failed = await call('search_documentation', { ...args, verbosity: 'loud' }, 'oldest');
    expect(failed.isError).toBeUndefined();
    expect(failed.structuredContent).toMatchObject({
      answer_json: {
        evidence: [],
        confidence: 0,
        diagnostics: { error: expect.stringContaining('verbosity') },
      },
    });
  });

  it.each([
    ['describe_nodes', { node_ids: ['x'] }, 'results'],
    ['expand_neighbors', { node_ids: ['x'] }, 'nodes'],
    ['get_paths_between', { a_ids: ['x'], b_ids: ['y'] }, 'paths'],
    ['list_children', { parent_id: 'x' }, 'children'],
    ['list_parents', { section_ids: ['x'] }, 'results'],
    ['get_entities_for_sections', { section_ids: ['x'] }, 'results'],
    ['get_sections_for_entities', { entity_ids: ['x'] }, 'results'],
    ['traverse_relationships', { start_ids: ['x'] }, 'nodes'],
  ])('%s says in a result of its own shape that the graph is off', async (name, args, key) => {
    const result = await call(name, args, 'noGraph');
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({
      error: expect.stringMatching(/\S/),
      [key]: [],
      neo4j_disabled: true,
    });
  });

  it.each([
    ['summarize_neighborhood', { node_ids: ['x'] }],
    ['compute_context_bundle', { seeds: ['x'] }],
  ])('%s fails where the graph is off', async (name, args) => {
    const refused = await call(name, args, 'noGraph');
    expect(failureOf(refused)).toEqual({ code: 'BACKEND_UNAVAILABLE', reason: 'graph' });
  });

  it('traverse_relationships puts its errors into a result', async () => {
    const result = await call('traverse_relationships', { start_ids: [] });
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result.structuredContent)).toBe(
      '{"error":"start_ids is required and cannot be empty","nodes":[],"relationships":[],"paths":[]}',
    );
  });

  it.each([
    ['describe_nodes', { node_ids: ['x'], fields: ['embedding'] }, 'projection_violation'],
    ['expand_neighbors', { node_ids: ['x'], rel_types: ['HAS_SECTION'] }, 'unknown_relation'],
    ['get_paths_between', { a_ids: ['x'], b_ids: ['y'], rel_types: ['HAS_SECTION'] }, 'unknown_relation'],
  ])('%s refuses %j', async (name, args, reason) => {
    expect(failureOf(await call(name, args))).toEqual({ code: 'INVALID_ARGUMENT', reason });
  });
});
