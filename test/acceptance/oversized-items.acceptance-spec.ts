import fc from 'fast-check';
import { type CallResult, connectClient, type TestClient } from '../support/mcp-clients.js';
import { oversizedDocuments } from '../support/oversized-documents.js';
import { pithIndex } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const CEILINGS = [1_024, 2_048, 4_096];

type Json = Record<string, unknown>;
type Args = Json & { page?: number };

/** A list with pages: the field of its items, the id of an item, and the arguments for a page size. */
interface Paged {
  readonly tool: string;
  readonly list: string;
  readonly nameOf: (item: Json) => unknown;
  readonly args: (size: number) => Args;
}

const bySection = ({ section_id: id }: Json): unknown => id;
const byId = ({ id }: Json): unknown => id;
const byPath = ({ nodes }: Json): unknown => JSON.stringify(nodes);
const ends = { a_ids: ['index.md'], b_ids: ['page-1.md', 'page-2.md', 'heading.md', 'title.md', 'cjk.md'] };

const PAGED: readonly Paged[] = [
  {
    tool: 'kb.search',
    list: 'results',
    nameOf: bySection,
    args: (page_size) => ({ query: 'valve', top_k: 50, page_size, options: { max_per_doc: 10 } }),
  },
  {
    tool: 'search_docs',
    list: 'hits',
    nameOf: ({ chunk_id }) => chunk_id,
    args: (limit) => ({ query: 'valve', limit }),
  },
  {
    tool: 'graph.expand',
    list: 'nodes',
    nameOf: byId,
    args: (page_size) => ({ node_ids: ['index.md'], max_hops: 2, page_size }),
  },
  {
    tool: 'graph.children',
    list: 'children',
    nameOf: byId,
    args: (page_size) => ({ parent_id: 'parts.md', page_size }),
  },
  {
    tool: 'graph.paths',
    list: 'paths',
    nameOf: byPath,
    args: (max_paths) => ({ ...ends, max_hops: 2, max_paths }),
  },
  {
    tool: 'search_sections',
    list: 'results',
    nameOf: bySection,
    args: (page_size) => ({ query: 'valve', top_k: 60, page_size, include_debug: false }),
  },
  {
    tool: 'expand_neighbors',
    list: 'nodes',
    nameOf: byId,
    args: (page_size) => ({ node_ids: ['index.md'], page_size, session_id: `session ${Math.random()}` }),
  },
  {
    tool: 'list_children',
    list: 'children',
    nameOf: byId,
    args: (page_size) => ({ parent_id: 'parts.md', page_size }),
  },
  {
    tool: 'get_paths_between',
    list: 'paths',
    nameOf: byPath,
    args: (max_paths) => ({ ...ends, max_hops: 2, max_paths }),
  },
];

/** Lists without pages, with arguments that give long lists. */
const WHOLE: readonly (readonly [string, Args])[] = [
  ['graph.describe', { node_ids: ['heading.md', 'title.md', 'tag.md', 'entity.md', 'page-1.md'] }],
  ['graph.entities_for_sections', { section_ids: ['entity.md', 'steps.md', 'page-1.md'] }],
  ['graph.sections_for_entities', { entity_ids: ['turnValve'] }],
  ['kb.retrieve_evidence', { question: 'Which valve holds the pressure?', max_quotes: 12 }],
  ['scratch.list', {}],
  ['scope.describe', {}],
  ['describe_nodes', { node_ids: ['heading.md', 'title.md', 'tag.md', 'entity.md', 'page-1.md'] }],
  ['get_section_text', { section_ids: ['title.md', 'tag.md', 'page-1.md'] }],
  ['get_entities_for_sections', { section_ids: ['entity.md', 'steps.md', 'page-1.md'] }],
  ['summarize_neighborhood', { node_ids: ['index.md'] }],
  ['search_documentation', { query: 'page 3 holds the pressure' }],
];

let roomy: TestClient;
const tight = new Map<number, TestClient>();

const open = (env: Record<string, string>): Promise<TestClient> =>
  connectClient({
    ...{ era: 'v1', transport: 'stdio', index },
    env: { MCP_LEGACY_TOOLS: 'listed', ENABLE_LEGACY_SEARCH_DOCUMENTATION: 'true', ...env },
  });

beforeAll(async () => {
  writeFiles(folder.file('docs'), oversizedDocuments());
  await pithIndex(folder.file('docs'), index);
  roomy = await open({});
  for (const bytes of CEILINGS) tight.set(bytes, await open({ MAX_RESPONSE_BYTES: String(bytes) }));
});

afterAll(async () => {
  await Promise.all([roomy, ...tight.values()].map((client) => client.close()));
  folder.remove();
});

const skippedBy = ({ _meta }: CallResult): number =>
  (_meta?.['pith/usage'] as { skipped?: number }).skipped ?? 0;

/** Reads all pages of a list. @returns ids of the items in order, and the number of skipped items */
async function walk(client: TestClient, { tool, list, nameOf, args }: Paged, size: number) {
  const names: unknown[] = [];
  let skipped = 0;
  const asked = args(size);
  for (let cursor: unknown = undefined, pages = 0; ; pages++) {
    const result = await client.call(tool, cursor ? { ...asked, cursor } : asked);
    if (result.isError || pages > 300) return { names, skipped, ended: JSON.stringify(result).slice(0, 300) };
    const output = result.structuredContent ?? {};
    names.push(...(output[list] as Json[]).map(nameOf));
    skipped += skippedBy(result);
    cursor = output['next_cursor'];
    if (!cursor) return { names, skipped, ended: 'with the last page' };
  }
}

describe.each(PAGED.map((paged) => [paged.tool, paged] as const))('paging through %s', (_, paged) => {
  it('shows or counts every item, for all documents and reply sizes', async () => {
    const whole = await walk(roomy, paged, 50);
    expect(whole).toMatchObject({ skipped: 0, ended: 'with the last page' });
    expect(whole.names.length).toBeGreaterThan(3);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tight.values()),
        fc.integer({ min: 1, max: 50 }),
        async (client, size) => {
          const { names, skipped, ended } = await walk(client, paged, size);
          expect(ended).toBe('with the last page');
          expect(names).toEqual(whole.names.filter((name) => names.includes(name)));
          expect(names.length + skipped).toBe(whole.names.length);
        },
      ),
      { numRuns: 4, seed: 14 },
    );
  });

  it('skips no item that fits into a page of its own', async () => {
    const whole = await walk(roomy, paged, 50);
    const { names } = await walk(tight.get(4_096) ?? roomy, paged, 50);
    expect(names.length).toBeGreaterThan(whole.names.length / 2);
  });
});

describe('a list without pages', () => {
  it.each(WHOLE)('of %s fits into 4 KB', async (tool, args) => {
    const result = await (tight.get(4_096) ?? roomy).call(tool, args);
    expect(JSON.stringify(result.content)).not.toContain('BUDGET_EXCEEDED');
    expect(result.isError).toBeUndefined();
  });
});

describe('every field of an item', () => {
  /** Text fields. Their length is limited by `max_…` arguments. */
  const TEXT = /^(?:preview|snippet|quote|text_truncated|full_text|answer_markdown|metadata)$/;

  function longIn(value: unknown, path = ''): string[] {
    if (typeof value === 'string') return value.length > 1_024 ? [`${path}: ${value.length}`] : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, each]) =>
      TEXT.test(key) ? [] : longIn(each, `${path}.${key}`),
    );
  }

  it('has at most 1,024 characters, in every list', async () => {
    const results = await Promise.all([
      ...PAGED.map(async ({ tool, args }) => [tool, await roomy.call(tool, args(50))] as const),
      ...WHOLE.map(async ([tool, args]) => [tool, await roomy.call(tool, args)] as const),
    ]);
    expect(results.filter(([, { isError }]) => isError).map(([tool]) => tool)).toEqual([]);
    expect(results.flatMap(([tool, { structuredContent }]) => longIn(structuredContent, tool))).toEqual([]);
  });
});
