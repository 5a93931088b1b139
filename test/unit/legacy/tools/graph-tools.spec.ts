import type { z } from 'zod';
import { encodeOffset } from '../../../../src/legacy/legacy-envelope.js';
import { legacyExpandNeighbors } from '../../../../src/legacy/tools/expand-neighbors.js';
import {
  legacyEntitiesForSections,
  legacyListChildren,
  legacyListParents,
  legacySectionsForEntities,
} from '../../../../src/legacy/tools/list-linked.js';
import {
  legacyDescribeNodes,
  legacyPathsBetween,
  legacySummarizeNeighborhood,
} from '../../../../src/legacy/tools/nodes-and-paths.js';
import { aGraph, WITHOUT_OTHER } from '../../../support/a-graph.js';
import { aCall } from '../../../support/builders.js';
import { anEdge, anEntity, aNode, FakeGraph } from '../../../support/graphs.js';
import { aLegacyService, replyOf } from '../../../support/legacy-tools.js';

type PathsArgs = Partial<z.input<typeof legacyPathsBetween.definition.input>>;
const service = aLegacyService(aGraph());
const ENVELOPE = ['session_id', 'partial', 'limit_reason', 'meta'];
const keysOf = (output: object) => Object.keys(output);

describe('describe_nodes', () => {
  const describeNodes = async (node_ids: string[], fields: string[] | null = null, call = aCall()) =>
    (await replyOf(legacyDescribeNodes, service, { node_ids, fields }, call)).output;

  it('returns its keys and the default fields in their order', async () => {
    const output = await describeNodes(['guide.md#install']);
    expect(keysOf(output)).toEqual(['results', 'cursor', 'next_cursor', ...ENVELOPE]);
    expect(JSON.stringify(output.results)).toBe(
      '[{"id":"guide.md#install","label":"Chunk","title":"Install","tokens":10,"doc_tag":"docs"}]',
    );
  });

  it('returns the requested fields, in that order', async () => {
    const { results } = await describeNodes(['guide.md#install'], ['anchor', 'level', 'id']);
    expect(JSON.stringify(results)).toBe('[{"anchor":"anchor","level":2,"id":"guide.md#install"}]');
  });

  it.each([['text'], ['embedding'], ['ID']])('refuses the field %s', async (field) => {
    await expect(describeNodes(['guide.md#install'], ['id', field])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'projection_violation',
    });
  });

  it('skips unknown ids, and describes nothing without ids', async () => {
    expect((await describeNodes(['nothing', 'entity:pith'])).results).toMatchObject([{ label: 'Command' }]);
    expect(await describeNodes([])).toMatchObject({ results: [], cursor: null, next_cursor: null });
  });

  it('describes nothing outside the scope', async () => {
    const call = aCall({ scope: WITHOUT_OTHER });
    expect((await describeNodes(['other.md#_document'], null, call)).results).toEqual([]);
  });

  it('reports in its own shape that there is no graph', async () => {
    const args = { node_ids: ['x'], session_id: 'mine' };
    const { output } = await replyOf(legacyDescribeNodes, aLegacyService(null), args);
    expect(output).toMatchObject({ results: [], neo4j_disabled: true, session_id: 'mine' });
    expect(keysOf(output)).toEqual([
      ...['error', 'results', 'cursor', 'next_cursor', 'neo4j_disabled', ...ENVELOPE],
    ]);
  });
});

describe('list_children of a node with very many children', () => {
  const listing = async (count: number, offset: number) => {
    const below = Array.from({ length: count }, (_, i) => aNode(`top/${String(i).padStart(4, '0')}`));
    const edges = below.map(({ id }) => anEdge('top', 'PARENT_OF', id));
    const many = aLegacyService(new FakeGraph([aNode('top'), ...below], edges));
    const args = { parent_id: 'top', cursor: encodeOffset(offset), page_size: 100 };
    return (await replyOf(legacyListChildren, many, args)).output;
  };

  it('continues after five hundred children', async () => {
    expect(await listing(650, 600)).toMatchObject({
      children: { length: 50 },
      next_cursor: null,
      partial: false,
    });
  });

  it('reports that there are more children than pages show', async () => {
    expect(await listing(2_001, 1_950)).toMatchObject({
      children: { length: 50 },
      next_cursor: null,
      partial: true,
      limit_reason: 'page_size',
    });
  });
});

describe('list_children', () => {
  const list = async (parent_id: string, cursor: string | null = null, page_size = 50) =>
    (await replyOf(legacyListChildren, service, { parent_id, cursor, page_size })).output;
  const idsOf = async (parent: string) => (await list(parent)).children.map(({ id }) => id);

  it('returns its keys in their order', async () => {
    const output = await list('guide.md#install');
    expect(keysOf(output)).toEqual(['children', 'cursor', 'next_cursor', ...ENVELOPE]);
    expect(JSON.stringify(output.children)).toBe(
      '[{"id":"guide.md#install/steps","label":"Chunk","title":"Steps","level":3}]',
    );
  });

  it('lists the headings of a document, each once, and the steps of a section', async () => {
    const all = ['guide.md#install', 'guide.md#install/steps', 'guide.md#use'];
    expect(await idsOf('guide.md#_document')).toEqual(all);
    expect(await idsOf('guide.md')).toEqual(all);
    expect(await idsOf('guide.md#install/steps')).toEqual(['guide.md#install/steps/_step-1']);
    expect(await idsOf('nothing')).toEqual([]);
  });

  it('pages through the list', async () => {
    const first = await list('guide.md', null, 2);
    const second = await list('guide.md', first.next_cursor, 2);
    expect(first).toMatchObject({ next_cursor: 'Mg==', partial: true, limit_reason: 'page_size' });
    expect(second).toMatchObject({ next_cursor: null, children: [{ id: 'guide.md#use' }] });
  });

  it('continues where the response limit cut the page', async () => {
    const reply = await replyOf(legacyListChildren, service, { parent_id: 'guide.md' });
    const smaller = reply.build({ count: 1, maxChars: 0, reason: 'byte_cap' });
    expect(smaller).toMatchObject({ next_cursor: 'MQ==', limit_reason: 'byte_cap' });
  });
});

describe('list_parents', () => {
  it('returns the parent of each section, and omits sections without one', async () => {
    const section_ids = ['guide.md#install/steps', 'nothing', 'guide.md#use', 'guide.md#_document'];
    const { output } = await replyOf(legacyListParents, service, { section_ids });
    expect(keysOf(output)).toEqual(['results', ...ENVELOPE]);
    expect(JSON.stringify(output.results)).toBe(
      '[{"section_id":"guide.md#install/steps","parent_id":"guide.md#install","parent_title":"Install"},' +
        '{"section_id":"guide.md#use","parent_id":"guide.md#_document","parent_title":"Guide"}]',
    );
  });
});

describe('summarize_neighborhood', () => {
  const summarize = async (node_ids: string[], token_budget?: number) =>
    (await replyOf(legacySummarizeNeighborhood, service, { node_ids, token_budget })).output;

  it('describes the nodes and their neighbours in at most five lines', async () => {
    const output = await summarize(['guide.md#install']);
    expect(keysOf(output)).toEqual(['bullets', 'citations', ...ENVELOPE]);
    expect(output.bullets).toEqual([
      'Install — Chunk (≈10 tokens)',
      'Guide — Document (≈0 tokens)',
      'Steps — Chunk (≈10 tokens)',
      'pith — Command (≈0 tokens)',
    ]);
    expect(output.citations).toHaveLength(4);
  });

  it('respects its token budget', async () => {
    expect((await summarize(['guide.md#install'], 25)).bullets).toHaveLength(1);
    expect((await summarize(['guide.md#install'], 0)).bullets).toEqual([]);
  });

  it('fails without a graph', async () => {
    const none = replyOf(legacySummarizeNeighborhood, aLegacyService(null), { node_ids: ['x'] });
    await expect(none).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', reason: 'graph' });
  });
});

describe('get_entities_for_sections', () => {
  const entities = async (section_ids: string[], labels: string[] | null = null, max_per_section = 20) =>
    (await replyOf(legacyEntitiesForSections, service, { section_ids, labels, max_per_section })).output;

  it('returns a row for each section, empty ones too', async () => {
    const output = await entities(['guide.md#install', 'guide.md#use', 'nothing']);
    expect(keysOf(output)).toEqual(['results', ...ENVELOPE]);
    expect(JSON.stringify(output.results)).toBe(
      '[{"section_id":"guide.md#install","entities":[{"id":"entity:pith","label":"Command","name":"pith"}]},' +
        '{"section_id":"guide.md#use","entities":[]},{"section_id":"nothing","entities":[]}]',
    );
  });

  it.each<[string[] | null, number, string[]]>([
    [null, 20, ['pith', 'port']],
    [[], 20, []],
    [['ConfigurationKey'], 1, ['port']],
    [['Error'], 20, []],
    [null, 1, ['pith']],
    [null, 0, []],
    [null, -3, []],
  ])('with labels %j lists at most %i: %j', async (labels, max, names) => {
    const { results } = await entities(['guide.md#install/steps'], labels, max);
    expect(results[0]?.entities.map(({ name }) => name)).toEqual(names);
  });
});

describe('get_sections_for_entities', () => {
  it('returns a row for each entity with the sections that mention it', async () => {
    const args = { entity_ids: ['entity:pith', 'nothing'], max_per: 1 };
    const { output } = await replyOf(legacySectionsForEntities, service, args);
    expect(keysOf(output)).toEqual(['results', ...ENVELOPE]);
    expect(JSON.stringify(output.results)).toBe(
      '[{"entity_id":"entity:pith","sections":[{"section_id":"guide.md#install","title":"Install"}]},' +
        '{"entity_id":"nothing","sections":[]}]',
    );
  });

  it('reads in batches that are small enough for complete walks', async () => {
    const entity_ids = Array.from({ length: 200 }, (_, i) => `entity:${i}`);
    const store = new FakeGraph(entity_ids.map((_, i) => anEntity(`${i}`)));
    const { output } = await replyOf(legacySectionsForEntities, aLegacyService(store), { entity_ids });
    expect(output.results).toHaveLength(200);
    expect(store.asked.map(({ seeds, fanOut, limit }) => seeds.length * fanOut * 2 <= limit)).toEqual([
      ...[true, true, true, true],
    ]);
  });
});

describe('the path of a document instead of a section', () => {
  it('is its first section', async () => {
    const section_ids = ['guide.md'];
    const { output } = await replyOf(legacyEntitiesForSections, service, { section_ids });
    expect(output.results).toMatchObject([{ section_id: 'guide.md', entities: [{ id: 'entity:pith' }] }]);
    const parents = await replyOf(legacyListParents, service, { section_ids });
    expect(parents.output.results).toMatchObject([
      { section_id: 'guide.md#install', parent_id: 'guide.md#_document' },
    ]);
  });
});

describe('an index that changes between two reads of one call', () => {
  const changing = () => aLegacyService(Object.assign(aGraph(), { changesAfter: 1 }));
  const ids = ['guide.md#install'];

  it.each([
    ['list_children', () => replyOf(legacyListChildren, changing(), { parent_id: 'guide.md' })],
    ['list_parents', () => replyOf(legacyListParents, changing(), { section_ids: ids })],
    ['summarize_neighborhood', () => replyOf(legacySummarizeNeighborhood, changing(), { node_ids: ids })],
    ['get_entities_for_sections', () => replyOf(legacyEntitiesForSections, changing(), { section_ids: ids })],
    [
      'get_paths_between',
      () => replyOf(legacyPathsBetween, changing(), { a_ids: ids, b_ids: ['guide.md#use'], max_hops: 2 }),
    ],
    ['expand_neighbors', () => replyOf(legacyExpandNeighbors, changing(), { node_ids: ids })],
  ])('makes %s fail with index_busy', async (_, ask) => {
    await expect(ask()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', reason: 'index_busy' });
  });
});

describe('get_paths_between', () => {
  const between = async (args: PathsArgs = {}) => {
    const ends = { a_ids: ['entity:port'], b_ids: ['guide.md#use'] };
    return (await replyOf(legacyPathsBetween, service, { ...ends, ...args })).output;
  };

  it('returns its keys, and a shortest path in any direction of edges', async () => {
    const output = await between();
    expect(keysOf(output)).toEqual(['paths', 'cursor', 'next_cursor', ...ENVELOPE]);
    expect(JSON.stringify(output.paths)).toBe(
      '[{"nodes":["entity:port","guide.md#install/steps","guide.md#_document","guide.md#use"],' +
        '"types":["MENTIONS","HAS_CHUNK","HAS_CHUNK"],"length":3}]',
    );
  });

  it.each([
    [2, 0],
    [3, 1],
    [0, 0],
    [-1, 0],
    [99, 1],
  ])('finds in %i hops %i paths', async (max_hops, count) => {
    expect((await between({ max_hops })).paths).toHaveLength(count);
  });

  it('returns one path for each pair, shortest first, in pages of max_paths', async () => {
    const pairs = { a_ids: ['entity:port', 'guide.md#install'], b_ids: ['entity:pith', 'guide.md#use'] };
    const lengths = async (overrides: PathsArgs) => {
      const { paths, next_cursor } = await between({ ...pairs, ...overrides });
      return [paths.map(({ length }) => length), next_cursor];
    };
    expect(await lengths({})).toEqual([[1, 2, 2, 3], null]);
    expect(await lengths({ max_paths: 3 })).toEqual([[1, 2, 2], 'Mw==']);
    expect(await lengths({ max_paths: 3, cursor: 'Mw==' })).toEqual([[3], null]);
    expect(await lengths({ max_paths: 500 })).toEqual([[1, 2, 2, 3], null]);
  });

  it('has no path from a node to itself, to an unknown node, or over relations that no index has', async () => {
    expect((await between({ b_ids: ['entity:port', 'nothing'] })).paths).toEqual([]);
    expect((await between({ rel_types: ['RESOLVES'] })).paths).toEqual([]);
  });
});
