import { failureOf, outcomeOf } from '../support/failures.js';
import { GRAPH_CORPUS, LINKED_PAGES } from '../support/graph-corpus.js';
import type { CallResult, Era, TransportName } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { ONE_OF_EACH, openSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const GRAPH_TOOLS = [
  'graph.describe',
  'graph.expand',
  'graph.paths',
  'graph.parents',
  'graph.children',
  'graph.entities_for_sections',
  'graph.sections_for_entities',
];
const LINKS = { rel_types: ['REFERENCES', 'RELATED_TO'] };
const LINUX = 'guides/start.md#install/linux';
const MOUNT = 'guides/disk.md#mount';

const folder = testFolder();
const index = folder.file('index.sqlite');
const changingDocs = folder.file('changing docs');
const changing = folder.file('changing.sqlite');

interface Node {
  readonly id: string;
  readonly label: string;
  readonly distance?: number;
}
interface Page {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly src: string; readonly type: string; readonly dst: string }[];
  readonly children: readonly Node[];
  readonly next_cursor: string | null;
  readonly partial: boolean;
}

const outputOf = (result: CallResult) => result.structuredContent as unknown as Page;
const textOf = (result: CallResult) => result.content.map((block) => block.text).join('\n');
const idsOf = (nodes: readonly Node[]): string[] => nodes.map(({ id }) => id);

const OVER_STDIO: [Era, TransportName][] = [['v1', 'stdio']];

const SWITCHED_OFF = [
  ['PITH_GRAPH_ENGINE', 'none', 'kb.search', { query: 'mount the disk' }],
  ['MCP_KB_V2_ENABLED', 'false', 'scope.describe', {}],
] as const;

let site: Site;
let changingSite: Site;
let sitesWithout: readonly Site[];

beforeAll(async () => {
  writeFiles(folder.file('docs'), GRAPH_CORPUS);
  writeFiles(changingDocs, GRAPH_CORPUS);
  await Promise.all([
    pithIndex(folder.file('docs'), index, '--site-url', 'https://docs.example.com'),
    pithIndex(changingDocs, changing),
  ]);
  [site, changingSite, ...sitesWithout] = await Promise.all([
    openSite(index, { transports: ONE_OF_EACH }),
    openSite(changing, { transports: OVER_STDIO }),
    ...SWITCHED_OFF.map(([name, value]) =>
      openSite(index, { transports: ONE_OF_EACH, env: { [name]: value } }),
    ),
  ]);
});

afterAll(async () => {
  await Promise.all([site, changingSite, ...sitesWithout].map((each) => each.stop()));
  folder.remove();
});

describe.each(ONE_OF_EACH)('the graph tools, called by a %s client over %s', (era, transport) => {
  const call = (name: string, args?: Record<string, unknown>) => site.client(era, transport).call(name, args);
  const linkedFrom = async (id: string, args: Record<string, unknown> = {}): Promise<string[]> =>
    idsOf(
      outputOf(await call('graph.expand', { node_ids: [id], ...LINKS, direction: 'out', ...args })).nodes,
    );

  it('are listed in their order, without a field that nothing returns', async () => {
    const tools = (await site.client(era, transport).listTools()).filter(({ name }) =>
      name.startsWith('graph.'),
    );
    expect(tools.map(({ name }) => name)).toEqual(GRAPH_TOOLS);
    expect(JSON.stringify(tools)).not.toContain('neo4j_disabled');
  });

  it('graph.describe describes ids without text', async () => {
    const node_ids = ['guides/start.md', LINUX, 'guides/start.md#install', `${LINUX}/_step-2`, 'startServer'];
    const result = await call('graph.describe', { node_ids });
    expect(result.structuredContent).toEqual({
      nodes: [
        { id: 'guides/start.md#_document', label: 'Document', title: 'Getting started', doc_tag: 'guides' },
        {
          id: LINUX,
          label: 'Section',
          title: 'Linux',
          level: 3,
          tokens: expect.any(Number),
          doc_tag: 'guides',
          anchor: 'linux',
        },
        {
          id: 'guides/start.md#install',
          label: 'Heading',
          title: 'Install',
          level: 2,
          doc_tag: 'guides',
          anchor: 'install',
        },
        { id: `${LINUX}/_step-2`, label: 'Step', title: 'Copy the files.', doc_tag: 'guides' },
        {
          id: 'entity:startserver',
          label: expect.any(String),
          title: expect.stringMatching(/^startServer/),
          sections: 3,
        },
      ],
      partial: false,
      limit_reason: 'none',
    });
    expect(textOf(result)).toContain(LINUX);
  });

  it('graph.describe shows the start of a text when asked', async () => {
    const { nodes } = outputOf(
      await call('graph.describe', { node_ids: [MOUNT, 'guides/disk.md'], include_snippet: true }),
    );
    expect(nodes).toMatchObject([
      { snippet: expect.stringMatching(/^Mount it with/) },
      { id: 'guides/disk.md#_document' },
    ]);
    expect(nodes[1]).not.toHaveProperty('snippet');
  });

  it.each([
    [
      'relative, with an anchor',
      'guides/start.md#_preamble',
      ['reference/config.md#port', 'guides/disk.md#_document'],
    ],
    ['from the root of the site', LINUX, ['reference/config.md#_document']],
    ['by reference', 'guides/start.md#install/windows', [MOUNT]],
    ['under "See also"', 'guides/start.md#see-also', ['guides/disk.md#_document']],
    ['with ./', MOUNT, [LINUX]],
    ['by the address of the site, and to no other', 'reference/config.md#_preamble', [MOUNT]],
    ['to a page that is not there', 'reference/config.md#port', []],
    ['of a whole document', 'guides/start.md', ['guides/disk.md#_document', 'reference/config.md#_document']],
  ])('graph.expand follows links %s', async (_, id, expected) => {
    expect((await linkedFrom(id)).sort()).toEqual([...expected].sort());
  });

  it('graph.expand distinguishes links under "See also" from other links', async () => {
    const related = { rel_types: ['RELATED_TO'] };
    expect(await linkedFrom('guides/start.md#see-also', related)).toEqual(['guides/disk.md#_document']);
    expect(await linkedFrom('guides/start.md#_preamble', related)).toEqual([]);
  });

  it('graph.expand walks one hop in both directions and returns edges in their own direction', async () => {
    const { nodes, edges } = outputOf(await call('graph.expand', { node_ids: [MOUNT], ...LINKS }));
    expect(idsOf(nodes).sort()).toEqual(
      [LINUX, 'guides/start.md#install/windows', 'reference/config.md#_preamble'].sort(),
    );
    expect(edges).toContainEqual({ src: MOUNT, type: 'REFERENCES', dst: LINUX });
    expect(edges).toContainEqual({ src: 'reference/config.md#_preamble', type: 'REFERENCES', dst: MOUNT });
    expect(edges).toHaveLength(3);
  });

  it('graph.expand walks further when asked, nearest first', async () => {
    const args = { node_ids: [MOUNT], ...LINKS, direction: 'out' };
    const { nodes } = outputOf(await call('graph.expand', { ...args, max_hops: 3 }));
    expect(nodes.map(({ id, distance }) => [id, distance])).toEqual([
      [LINUX, 1],
      ['reference/config.md#_document', 2],
      ['guides/disk.md#_document', 3],
    ]);
  });

  it('graph.expand has no text unless it is asked for', async () => {
    const args = { node_ids: [MOUNT], ...LINKS };
    expect(JSON.stringify(await call('graph.expand', args))).not.toMatch(/snippet|as in the/);
    const asked = await call('graph.expand', { ...args, include_snippet: true });
    expect(outputOf(asked).nodes).toContainEqual(
      expect.objectContaining({ id: LINUX, snippet: expect.stringContaining('as in the') }),
    );
  });

  it('graph.expand lists 25 nodes a page and leads to each of the others once', async () => {
    const args = { node_ids: ['list/all.md#_document'], ...LINKS, direction: 'out' };
    const first = outputOf(await call('graph.expand', args));
    const second = outputOf(await call('graph.expand', { ...args, cursor: first.next_cursor }));
    const whole = outputOf(await call('graph.expand', { ...args, page_size: 100 }));
    expect([first.nodes.length, first.partial]).toEqual([25, true]);
    expect(second).toMatchObject({ next_cursor: null, partial: false, nodes: { length: 15 } });
    expect([...first.nodes, ...second.nodes]).toEqual(whole.nodes);
    expect([...first.edges, ...second.edges]).toEqual(whole.edges);
    expect(idsOf(whole.nodes)).toEqual(LINKED_PAGES.map((path) => `${path}#_document`));
  });

  it('graph.paths shows how two sections are connected, in either direction', async () => {
    const args = { a_ids: ['guides/start.md#install/windows'], b_ids: [LINUX], ...LINKS };
    expect((await call('graph.paths', args)).structuredContent).toEqual({
      paths: [
        {
          nodes: ['guides/start.md#install/windows', MOUNT, LINUX],
          types: ['REFERENCES', 'REFERENCES'],
          length: 2,
        },
      ],
      next_cursor: null,
      partial: false,
      limit_reason: 'none',
    });
  });

  it('graph.paths connects sections that name one thing', async () => {
    const args = {
      a_ids: ['reference/search.md'],
      b_ids: ['reference/config.md#tools'],
      rel_types: ['MENTIONS'],
    };
    const path = {
      nodes: ['reference/search.md', 'entity:kb.search', 'reference/config.md#tools'],
      length: 2,
    };
    expect((await call('graph.paths', args)).structuredContent).toMatchObject({
      paths: expect.arrayContaining([expect.objectContaining(path)]),
    });
  });

  it('graph.paths goes no further than it may', async () => {
    const args = { a_ids: ['guides/start.md#install/windows'], b_ids: [LINUX], ...LINKS, max_hops: 1 };
    expect((await call('graph.paths', args)).structuredContent).toMatchObject({ paths: [] });
  });

  it('graph.parents lists the headings above, nearest first', async () => {
    const args = { section_ids: [LINUX, 'guides/start.md#_preamble'] };
    const above = { id: 'guides/start.md#_document', title: 'Getting started' };
    expect((await call('graph.parents', args)).structuredContent).toEqual({
      results: [
        {
          section_id: LINUX,
          parent_id: 'guides/start.md#install',
          parent_title: 'Install',
          ancestors: [{ id: 'guides/start.md#install', title: 'Install' }, above],
        },
        {
          section_id: 'guides/start.md#_preamble',
          parent_id: above.id,
          parent_title: above.title,
          ancestors: [above],
        },
      ],
      partial: false,
      limit_reason: 'none',
    });
  });

  it.each([
    [
      'a document',
      'guides/start.md',
      ['_preamble', 'install', 'see-also'].map((slug) => `guides/start.md#${slug}`),
    ],
    ['a heading without text', 'guides/start.md#install', [LINUX, 'guides/start.md#install/windows']],
    ['a section with steps', LINUX, [1, 2, 3].map((number) => `${LINUX}/_step-${number}`)],
    ['a section with nothing', MOUNT, []],
  ])('graph.children lists what is below %s, in its order', async (_, parent_id, expected) => {
    const { children, next_cursor } = outputOf(await call('graph.children', { parent_id }));
    expect([idsOf(children), next_cursor]).toEqual([expected, null]);
  });

  it('graph.children leads through all pages to every child once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = outputOf(await call('graph.children', { parent_id: 'long.md', page_size: 20, cursor }));
      seen.push(...idsOf(page.children));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => `long.md#part-${String(i).padStart(2, '0')}`));
  });

  it('graph.entities_for_sections names what a section names', async () => {
    const args = { section_ids: ['reference/search.md', MOUNT] };
    expect((await call('graph.entities_for_sections', args)).structuredContent).toMatchObject({
      results: [
        {
          section_id: 'reference/search.md',
          entities: expect.arrayContaining([
            {
              id: 'entity:kb.search',
              label: expect.any(String),
              name: expect.stringMatching(/^kb\.search/i),
              mentions: 2,
              sections: 2,
            },
          ]),
        },
        {
          section_id: MOUNT,
          entities: expect.arrayContaining([expect.objectContaining({ id: 'entity:startserver' })]),
        },
      ],
    });
  });

  it('graph.entities_for_sections lists as many as asked for, of the labels asked for', async () => {
    const args = { section_ids: ['guides/start.md#install/windows'] };
    const variables = await call('graph.entities_for_sections', {
      ...args,
      labels: ['EnvironmentVariable'],
      max_per_section: 1,
    });
    expect(variables.structuredContent).toMatchObject({
      results: [{ entities: [{ id: 'entity:server_port' }] }],
    });
    const errors = await call('graph.entities_for_sections', { ...args, labels: ['Error'] });
    expect(errors.structuredContent).toMatchObject({ results: [{ entities: [] }] });
  });

  it.each(['KB.Search', 'kb.search', '`kb.search`', 'entity:kb.search', 'kb.search()'])(
    'graph.sections_for_entities takes %s for one and the same',
    async (name) => {
      const { structuredContent } = await call('graph.sections_for_entities', { entity_ids: [name] });
      expect(structuredContent).toMatchObject({
        results: [
          {
            entity_id: 'entity:kb.search',
            total: 2,
            sections: [
              { section_id: 'reference/config.md#tools', mentions: 2 },
              { section_id: 'reference/search.md', mentions: 2 },
            ],
          },
        ],
      });
    },
  );

  it('graph.sections_for_entities returns the number of sections that it does not list', async () => {
    const args = { entity_ids: ['startServer'], max_per: 2 };
    expect((await call('graph.sections_for_entities', args)).structuredContent).toMatchObject({
      results: [{ entity_id: 'entity:startserver', total: 3, sections: { length: 2 } }],
    });
  });

  it('graph.sections_for_entities takes a name for the entity, though a document is called the same', async () => {
    const { structuredContent } = await call('graph.sections_for_entities', { entity_ids: ['setup.md'] });
    expect(structuredContent).toMatchObject({
      results: [{ entity_id: 'entity:setup.md', sections: [{ section_id: 'setting/later.md' }] }],
    });
  });

  it.each(['graph.parents', 'graph.entities_for_sections'])(
    '%s takes the path of a document for its first section',
    async (tool) => {
      const byPath = await call(tool, { section_ids: ['guides/start.md'] });
      const byId = await call(tool, { section_ids: ['guides/start.md#_preamble'] });
      expect(byPath.structuredContent).toEqual(byId.structuredContent);
      expect(byPath.structuredContent).toMatchObject({
        results: [{ section_id: 'guides/start.md#_preamble' }],
      });
    },
  );

  it('take the section ids that kb.search gives', async () => {
    const { structuredContent } = await call('kb.search', { query: 'mount the disk' });
    const [{ section_id }] = structuredContent?.['results'] as [{ section_id: string }];
    expect(outputOf(await call('graph.describe', { node_ids: [section_id] })).nodes).toMatchObject([
      { id: section_id },
    ]);
  });

  it.each([
    ['graph.describe', { node_ids: ['nothing.md'] }, { nodes: [] }],
    ['graph.expand', { node_ids: ['nothing.md'] }, { nodes: [], edges: [], next_cursor: null }],
    ['graph.paths', { a_ids: [MOUNT], b_ids: ['nothing.md'] }, { paths: [] }],
    ['graph.parents', { section_ids: ['nothing.md'] }, { results: [] }],
    ['graph.children', { parent_id: 'nothing.md' }, { children: [], next_cursor: null }],
    ['graph.entities_for_sections', { section_ids: ['nothing.md'] }, { results: [] }],
    ['graph.sections_for_entities', { entity_ids: ['nothing.md'] }, { results: [] }],
  ])(
    '%s names an id that it does not know and says what to do, which is no error',
    async (name, args, empty) => {
      const result = await call(name, args);
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toMatchObject({
        ...empty,
        not_found: ['nothing.md'],
        hint: expect.stringMatching(/kb[._]search/),
        partial: false,
      });
      expect(textOf(result)).toContain('nothing.md');
    },
  );

  it.each([
    ['graph.describe', { node_ids: [MOUNT] }],
    ['graph.expand', { node_ids: [MOUNT] }],
    ['graph.paths', { a_ids: [MOUNT], b_ids: [LINUX] }],
    ['graph.parents', { section_ids: [MOUNT] }],
    ['graph.children', { parent_id: MOUNT }],
    ['graph.entities_for_sections', { section_ids: [MOUNT] }],
    ['graph.sections_for_entities', { entity_ids: ['startServer'] }],
  ])('%s keeps to the scope', async (name, args) => {
    const foreign = await call(name, { ...args, scope: { project_id: 'another' } });
    expect(failureOf(foreign)).toEqual({ code: 'SCOPE_VIOLATION', reason: 'project_mismatch' });
    const narrow = await call(name, { ...args, scope: { doc_tags: ['reference'] } });
    expect(narrow.isError).toBeUndefined();
    expect(JSON.stringify({ ...narrow.structuredContent, not_found: [] })).not.toContain('guides/');
  });

  it.each([
    ['graph_describe', { node_ids: [MOUNT] }],
    ['graph_expand', { node_ids: [MOUNT] }],
    ['graph_children', { parent_id: MOUNT }],
  ])('are called by their underscore names too: %s', async (name, args) => {
    expect((await call(name, args)).isError).toBeUndefined();
  });

  it.each([
    ['graph.expand', { node_ids: ['guides/start.md', 'startServer'], max_hops: 3 }],
    ['graph.paths', { a_ids: [MOUNT], b_ids: [LINUX, 'startServer'], max_hops: 5 }],
    ['graph.entities_for_sections', { section_ids: [LINUX, MOUNT] }],
  ])(
    '%s gives the same answer each time, and text no longer than its structured form',
    async (name, args) => {
      const [first, second] = [await call(name, args), await call(name, args)];
      expect(second.structuredContent).toEqual(first.structuredContent);
      expect(second.content).toEqual(first.content);
      expect(textOf(first).length).toBeLessThanOrEqual(JSON.stringify(first.structuredContent).length);
      expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(16_384);
    },
  );
});

const times = (count: number, value = 'x'): string[] =>
  Array.from({ length: count }, (_, i) => `${value}${i}`);

describe.each(ONE_OF_EACH)('the bounds of the graph tools, for a %s client over %s', (era, transport) => {
  const call = (name: string, args?: Record<string, unknown>) => site.client(era, transport).call(name, args);

  it.each([
    ['no ids', 'graph.describe', { node_ids: [] }],
    ['too many ids', 'graph.describe', { node_ids: times(51) }],
    ['an empty id', 'graph.describe', { node_ids: [''] }],
    ['an id that is too long', 'graph.describe', { node_ids: ['x'.repeat(1_025)] }],
    ['an id of more than 1,024 bytes', 'graph.describe', { node_ids: ['漢'.repeat(400)] }],
    ['an id that is no text', 'graph.describe', { node_ids: [7] }],
    ['an unknown field', 'graph.describe', { node_ids: ['x'], verbose: true }],
    ['too many seeds', 'graph.expand', { node_ids: times(11) }],
    ['no hop', 'graph.expand', { node_ids: ['x'], max_hops: 0 }],
    ['too many hops', 'graph.expand', { node_ids: ['x'], max_hops: 4 }],
    ['an empty page', 'graph.expand', { node_ids: ['x'], page_size: 0 }],
    ['a page that is too large', 'graph.expand', { node_ids: ['x'], page_size: 101 }],
    ['half a page', 'graph.expand', { node_ids: ['x'], page_size: 2.5 }],
    ['an unknown direction', 'graph.expand', { node_ids: ['x'], direction: 'up' }],
    ['an unknown relation', 'graph.expand', { node_ids: ['x'], rel_types: ['LIKES'] }],
    ['a cursor that is too long', 'graph.expand', { node_ids: ['x'], cursor: 'x'.repeat(513) }],
    ['too many starts', 'graph.paths', { a_ids: times(6), b_ids: ['x'] }],
    ['too many ends', 'graph.paths', { a_ids: ['x'], b_ids: times(6) }],
    ['paths that are too long', 'graph.paths', { a_ids: ['x'], b_ids: ['y'], max_hops: 6 }],
    ['too many paths', 'graph.paths', { a_ids: ['x'], b_ids: ['y'], max_paths: 51 }],
    ['too many sections', 'graph.parents', { section_ids: times(26) }],
    ['no parent', 'graph.children', {}],
    ['a page of too many children', 'graph.children', { parent_id: 'x', page_size: 101 }],
    ['too many sections', 'graph.entities_for_sections', { section_ids: times(11) }],
    ['an unknown label', 'graph.entities_for_sections', { section_ids: ['x'], labels: ['Person'] }],
    ['too many entities', 'graph.entities_for_sections', { section_ids: ['x'], max_per_section: 51 }],
    ['too many entities', 'graph.sections_for_entities', { entity_ids: times(11) }],
    ['no section at all', 'graph.sections_for_entities', { entity_ids: ['x'], max_per: 0 }],
  ])('refuse %s: %s', async (_, name, args) => {
    expect(failureOf(await call(name, args)).code).toBe('INVALID_ARGUMENT');
  });

  it.each([
    ['graph.describe', { node_ids: times(50, 'x'.repeat(1_000)) }],
    ['graph.expand', { node_ids: times(10, 'x'.repeat(1_000)) }],
    ['graph.parents', { section_ids: times(25, 'x'.repeat(1_000)) }],
  ])('%s answers within its ceiling for unknown ids of any length', async (name, args) => {
    const result = await call(name, args);
    expect(result.isError).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(16_384);
  });

  it.each([
    [
      'graph.expand',
      { node_ids: ['list/all.md#_document', 'long.md', 'guides/start.md'], max_hops: 3, page_size: 100 },
    ],
    ['graph.expand', { node_ids: ['long.md'], max_hops: 3, page_size: 100, include_snippet: true }],
    ['graph.paths', { a_ids: ['long.md'], b_ids: ['long.md#part-00'], max_hops: 5, max_paths: 50 }],
    ['graph.describe', { node_ids: LINKED_PAGES, include_snippet: true }],
    ['graph.children', { parent_id: 'long.md', page_size: 100 }],
  ])('%s stays under its ceiling', async (name, args) => {
    const result = await call(name, args);
    expect(result.isError).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(16_384);
  });

  /** Every page from the first on; gives up after thirty. */
  async function allPages(args: Record<string, unknown>): Promise<Page[]> {
    const pages: Page[] = [];
    let cursor: string | null = null;
    do {
      const result = await call('graph.expand', { ...args, cursor });
      expect(outcomeOf(result)).toBe('ok');
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(16_384);
      pages.push(outputOf(result));
      cursor = outputOf(result).next_cursor;
    } while (cursor && pages.length < 30);
    return pages;
  }

  it.each([
    [
      'with snippets',
      { node_ids: ['long.md', 'list/all.md#_document'], page_size: 100, include_snippet: true },
    ],
    ['one by one', { node_ids: ['guides/disk.md', 'startServer'], page_size: 1 }],
    [
      'up to one that is linked with all before it',
      {
        node_ids: ['ways/first/list.md#_document', 'ways/second/list.md#_document'],
        rel_types: ['REFERENCES'],
        direction: 'out',
        page_size: 100,
      },
    ],
  ])('lead to each node once where pages are cut to fit, %s', async (_, args) => {
    const pages = await allPages({ ...args, max_hops: 2 });
    const ids = pages.flatMap(({ nodes }) => idsOf(nodes));
    expect(pages.length).toBeGreaterThan(2);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages.map(({ partial }) => partial)).toEqual(pages.map((_, i) => i < pages.length - 1));
  });

  it.each([
    ['forged', (cursor: string) => `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`, {}],
    ['no cursor at all', () => 'not a cursor', {}],
    ['of other nodes', (cursor: string) => cursor, { node_ids: ['guides/start.md'] }],
    ['of other relations', (cursor: string) => cursor, { rel_types: ['REFERENCES'] }],
    ['of another scope', (cursor: string) => cursor, { scope: { doc_tags: ['list'] } }],
  ])('refuse a cursor that is %s', async (_, change, other) => {
    const args = { node_ids: ['list/all.md#_document'], ...LINKS, page_size: 5 };
    const cursor = change(String(outputOf(await call('graph.expand', args)).next_cursor));
    const refused = await call('graph.expand', { ...args, ...other, cursor });
    expect(failureOf(refused)).toEqual({ code: 'INVALID_ARGUMENT', reason: 'cursor_invalid' });
  });
});

describe('graph.expand, asked the same again', () => {
  it.each(ONE_OF_EACH)('gives a %s client over %s the same bytes', async (era, transport) => {
    const client = site.client(era, transport);
    const args = { node_ids: [...LINKED_PAGES.slice(0, 4), LINUX], max_hops: 2, include_snippet: true };
    const replies: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { content, structuredContent } = await client.call('graph.expand', args);
      replies.push(JSON.stringify({ content, structuredContent }));
    }
    expect(replies[0]).toContain(MOUNT);
    expect(new Set(replies).size).toBe(1);
  });
});

describe('an index that changes under the graph tools', () => {
  it('makes cursors stale and links whole', async () => {
    const call = (args: Record<string, unknown>) =>
      changingSite.client('v1', 'stdio').call('graph.expand', args);
    const paging = { node_ids: ['list/all.md#_document'], ...LINKS, page_size: 5 };
    const { next_cursor: cursor } = outputOf(await call(paging));
    writeFiles(changingDocs, { 'reference/gone.md': '# Not gone\n\nIt is back.\n' });
    await pithIndex(changingDocs, changing);
    const stale = { code: 'INVALID_ARGUMENT', reason: 'cursor_stale' };
    expect(failureOf(await call({ ...paging, cursor }))).toEqual(stale);
    const linked = await call({ node_ids: ['reference/config.md#port'], ...LINKS, direction: 'out' });
    expect(idsOf(outputOf(linked).nodes)).toEqual(['reference/gone.md#_document']);
  });
});

describe.each(SWITCHED_OFF.map((each, i) => [...each, i] as const))('with %s=%s', (...setting) => {
  const [, , other, otherArgs, i] = setting;
  const off = (era: Era, transport: TransportName) => (sitesWithout[i] ?? site).client(era, transport);

  it.each(ONE_OF_EACH)(
    'no graph tool is listed or callable for a %s client over %s',
    async (era, transport) => {
      const client = off(era, transport);
      const names = (await client.listTools()).map((tool) => tool.name);
      expect(names.filter((tool) => tool.startsWith('graph'))).toEqual([]);
      const calls = await Promise.all(GRAPH_TOOLS.map((tool) => client.call(tool, { node_ids: ['x'] })));
      const disabled = { code: 'INVALID_ARGUMENT', reason: 'feature_disabled' };
      expect(calls.map(failureOf)).toEqual(GRAPH_TOOLS.map(() => disabled));
    },
  );

  it.each(ONE_OF_EACH)(
    'what does not need the graph still works for a %s client over %s',
    async (era, transport) => {
      const result = await off(era, transport).call(other, otherArgs);
      expect(result.isError).toBeUndefined();
      expect(textOf(result)).toMatch(/\S/);
    },
  );
});
