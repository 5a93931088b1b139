import type { CallResult, TransportName } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { openSite, type Site, V1 } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const STEPS = 'guides/install.md#steps';
const FAILS = 'guides/install.md#when-the-set-up-fails';
const DOCUMENT = 'guides/install.md#_document';

interface Rows {
  readonly nodes: { readonly id: string; readonly label: string }[];
  readonly edges: { readonly src: string; readonly dst: string; readonly type: string }[];
  readonly children: { readonly id: string; readonly label: string }[];
  readonly results: { readonly entities: { id: string; label: string; name: string }[] }[];
}

let site: Site;
let elsewhere: Site;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  site = await openSite(index, { transports: V1 });
  elsewhere = await openSite(index, { transports: V1, env: { PITH_DOC_TAGS: 'reference' } });
}, 40_000);

afterAll(async () => {
  await Promise.all([site?.stop(), elsewhere?.stop()]);
  folder.remove();
});

/** These read the graph in the index file. */
describe.each<[TransportName]>([['stdio'], ['http']])('the older graph tools over %s', (transport) => {
  const call = (name: string, args: Record<string, unknown>, of = site) =>
    of.client('v1', transport).call(name, args);
  const rowsOf = ({ structuredContent }: CallResult) => structuredContent as unknown as Rows;
  /** A session that nothing was sent to yet. */
  const fresh = () => `${transport} ${Math.random()}`;

  it('describe_nodes describes a document and a section, in the requested order', async () => {
    const result = await call('describe_nodes', { node_ids: [STEPS, 'nothing', DOCUMENT] });
    expect(result.structuredContent).toMatchObject({
      results: [
        { id: STEPS, label: 'Chunk', title: 'Steps', tokens: expect.any(Number), doc_tag: 'guide' },
        { id: DOCUMENT, label: 'Document', title: 'Installing Harbour' },
      ],
      cursor: null,
      next_cursor: null,
    });
  });

  it('list_children lists the headings of a document in their order, page by page', async () => {
    const first = await call('list_children', { parent_id: DOCUMENT, page_size: 2 });
    const { next_cursor } = first.structuredContent as { next_cursor: string };
    const rest = await call('list_children', { parent_id: DOCUMENT, cursor: next_cursor });
    const ids = [...rowsOf(first).children, ...rowsOf(rest).children].map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['guides/install.md#requirements', STEPS, FAILS]));
    expect(ids.indexOf(STEPS)).toBeLessThan(ids.indexOf(FAILS));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('list_children lists the steps of a section', async () => {
    const { children } = rowsOf(await call('list_children', { parent_id: STEPS }));
    expect(children.filter(({ label }) => label === 'Step')).toHaveLength(4);
  });

  it('list_parents names the document above a section', async () => {
    const result = await call('list_parents', { section_ids: [STEPS] });
    expect(result.structuredContent).toMatchObject({
      results: [{ section_id: STEPS, parent_id: DOCUMENT, parent_title: 'Installing Harbour' }],
    });
  });

  it('expand_neighbors reads CHILD_OF as PARENT_OF the other way', async () => {
    const args = { node_ids: [STEPS], rel_types: ['CHILD_OF'], direction: 'out', session_id: fresh() };
    const { nodes, edges } = rowsOf(await call('expand_neighbors', args));
    expect(nodes).toMatchObject([{ id: DOCUMENT }]);
    expect(edges).toEqual([{ src: STEPS, dst: DOCUMENT, type: 'CHILD_OF' }]);
  });

  it('expand_neighbors sends nothing twice in a session', async () => {
    const args = { node_ids: [DOCUMENT], rel_types: ['PARENT_OF'], session_id: fresh() };
    const first = rowsOf(await call('expand_neighbors', args));
    const again = await call('expand_neighbors', args);
    expect(first.nodes.length).toBeGreaterThan(1);
    expect(again.structuredContent).toMatchObject({
      nodes: [],
      edges: [],
      dedupe_applied: true,
      meta: { usage: { duplicates_suppressed: first.nodes.length + first.edges.length } },
    });
  });

  it('expand_neighbors walks page by page without losing or repeating a node', async () => {
    const args = { node_ids: [DOCUMENT], page_size: 2, session_id: fresh() };
    const first = await call('expand_neighbors', args);
    const { next_cursor: cursor } = first.structuredContent as { next_cursor: string };
    const second = await call('expand_neighbors', { ...args, cursor });
    const ids = [...rowsOf(first).nodes, ...rowsOf(second).nodes].map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });

  it('get_paths_between joins two sections of a document', async () => {
    const result = await call('get_paths_between', { a_ids: [STEPS], b_ids: [FAILS] });
    expect(result.structuredContent).toMatchObject({
      paths: [{ nodes: [STEPS, FAILS], types: ['NEXT_CHUNK'], length: 1 }],
    });
  });

  it('entities lead to sections and back', async () => {
    const found = await call('get_entities_for_sections', { section_ids: [FAILS] });
    const entities = rowsOf(found).results[0]?.entities ?? [];
    expect(entities.length).toBeGreaterThan(0);
    const back = await call('get_sections_for_entities', { entity_ids: [entities[0]?.id] });
    expect(back.structuredContent).toMatchObject({
      results: [
        {
          entity_id: entities[0]?.id,
          sections: expect.arrayContaining([{ section_id: FAILS, title: 'When the set-up fails' }]),
        },
      ],
    });
  });

  it('traverse_relationships brings texts, edges and paths', async () => {
    const args = { start_ids: [DOCUMENT], rel_types: ['HAS_CHUNK'], max_depth: 1, include_text: true };
    const { structuredContent } = await call('traverse_relationships', args);
    expect(structuredContent).toMatchObject({
      nodes: expect.arrayContaining([
        expect.objectContaining({ id: DOCUMENT, distance: 0 }),
        expect.objectContaining({
          id: STEPS,
          distance: 1,
          properties: expect.objectContaining({ text: expect.stringContaining('Download the archive') }),
        }),
      ]),
      relationships: expect.arrayContaining([
        expect.objectContaining({ from_id: DOCUMENT, to_id: STEPS, type: 'HAS_CHUNK' }),
      ]),
      paths: expect.arrayContaining([{ nodes: [DOCUMENT, STEPS], length: 1 }]),
    });
  });

  it('summarize_neighborhood says in at most five lines what is there', async () => {
    const { structuredContent } = await call('summarize_neighborhood', { node_ids: [STEPS] });
    const { bullets, citations } = structuredContent as { bullets: string[]; citations: string[] };
    expect(bullets[0]).toMatch(/^Steps — Chunk \(≈\d+ tokens\)$/);
    expect(bullets.length).toBeGreaterThan(1);
    expect(bullets.length).toBeLessThanOrEqual(5);
    expect(citations[0]).toBe(STEPS);
  });

  it('compute_context_bundle gathers nodes and texts', async () => {
    const { structuredContent } = await call('compute_context_bundle', { seeds: [STEPS] });
    expect(structuredContent).toMatchObject({
      bundle: {
        nodes: [{ id: STEPS }],
        snippets: [{ section_id: STEPS, text_truncated: expect.stringContaining('systemctl') }],
        strategy: 'hybrid',
      },
      partial: false,
    });
  });

  it.each([
    ['describe_nodes', { node_ids: [STEPS] }, 'results'],
    ['expand_neighbors', { node_ids: [STEPS] }, 'nodes'],
    ['list_children', { parent_id: DOCUMENT }, 'children'],
    ['list_parents', { section_ids: [STEPS] }, 'results'],
    ['traverse_relationships', { start_ids: [STEPS] }, 'nodes'],
  ])('%s shows nothing outside the configured scope', async (name, args, key) => {
    const { structuredContent } = await call(name, args, elsewhere);
    expect(structuredContent).toMatchObject({ [key]: [] });
  });
});
