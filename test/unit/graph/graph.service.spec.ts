import { RELATIONS } from '../../../src/core/graph-model.js';
import type { GraphEdge, GraphNode } from '../../../src/core/ports/graph-store.port.js';
import { GraphService } from '../../../src/graph/graph.service.js';
import { GraphMentionsService } from '../../../src/graph/graph-mentions.service.js';
import type { Walking } from '../../../src/graph/graph-results.js';
import { aCall } from '../../support/builders.js';
import { anEdge, anEntity, aNode, FakeGraph } from '../../support/graphs.js';

const ALL_WAYS: Walking = { relations: null, direction: 'both', maxHops: 1 };
const serviceOf = (nodes: readonly GraphNode[], edges: readonly GraphEdge[] = []) =>
  new GraphService(new FakeGraph(nodes, edges));
/** This number of nodes: `a-00`, `a-01`, … */
const someNodes = (count: number, overrides: Partial<GraphNode> = {}, start = 'a'): GraphNode[] =>
  Array.from({ length: count }, (_, i) => aNode(`${start}-${String(i).padStart(3, '0')}`, overrides));
const idsOf = (nodes: readonly GraphNode[]): string[] => nodes.map(({ id }) => id);
const SCOPE = { scope: { docTags: ['docs'], repositories: ['repo'] } };

describe('describe', () => {
  const service = serviceOf([
    aNode('a'),
    aNode('b'),
    aNode('foreign', { docTag: 'hidden' }),
    anEntity('gone', { sections: 0 }),
  ]);

  it('returns each node once in the requested order, and names unknown ids', async () => {
    expect(await service.describe(aCall(), ['b', 'x', 'a', 'b'])).toEqual({
      generation: 'index:1',
      each: [aNode('b'), null, aNode('a'), aNode('b')],
      nodes: [aNode('b'), aNode('a')],
      notFound: ['x'],
    });
  });

  it('fails with feature_disabled if there is no graph', async () => {
    await expect(new GraphService(null).describe(aCall(), ['a'])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'feature_disabled',
    });
  });

  it('checks the scope again, and counts nodes that the store should not have returned', async () => {
    const call = aCall(SCOPE);
    const { nodes, notFound } = await service.describe(call, ['a', 'foreign']);
    expect([idsOf(nodes), notFound, call.trace.drops]).toEqual([['a'], ['foreign'], { scope_mismatch: 1 }]);
  });

  it.each([
    ['doc tag', { docTag: 'hidden' }],
    ['repository', { repository: 'elsewhere' }],
  ])('returns no node of another %s', async (_, overrides) => {
    const { nodes } = await serviceOf([aNode('a', overrides)]).describe(aCall(SCOPE), ['a']);
    expect(nodes).toEqual([]);
  });

  it('returns no entity without a visible section that mentions it', async () => {
    const call = aCall(SCOPE);
    expect(await service.describe(call, ['entity:gone'])).toMatchObject({
      nodes: [],
      notFound: ['entity:gone'],
    });
    expect(call.trace.drops).toEqual({ scope_mismatch: 1 });
  });

  it('has snippets only on request', async () => {
    const own = serviceOf([aNode('a', { snippet: 'Text.' })]);
    expect((await own.describe(aCall(), ['a'])).nodes).toMatchObject([{ snippet: null }]);
    expect((await own.describe(aCall(), ['a'], { withSnippet: true })).nodes).toMatchObject([
      { snippet: 'Text.' },
    ]);
  });

  it('stops if the call was cancelled', async () => {
    const cancelled = { ...aCall(), signal: AbortSignal.abort() };
    await expect(service.describe(cancelled, ['a'])).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the path of a document instead of a section', () => {
  const store = () =>
    new FakeGraph(
      [
        aNode('a.md#_document', { label: 'Document', level: 0 }),
        aNode('a.md#top', { label: 'Heading' }),
        aNode('a.md#top/one'),
        aNode('a.md#two'),
        aNode('empty.md#_document', { label: 'Document', level: 0 }),
        anEntity('x'),
      ],
      [
        anEdge('a.md#_document', 'HAS_CHUNK', 'a.md#top'),
        anEdge('a.md#_document', 'HAS_CHUNK', 'a.md#top/one'),
        anEdge('a.md#_document', 'HAS_CHUNK', 'a.md#two'),
        anEdge('a.md#_document', 'PARENT_OF', 'a.md#top'),
        anEdge('a.md#top', 'PARENT_OF', 'a.md#top/one'),
        anEdge('a.md#top/one', 'MENTIONS', 'entity:x'),
      ],
    );
  const service = () => new GraphService(store());

  it('stands for its first section with text', async () => {
    const { found } = await new GraphMentionsService(service()).entitiesOf(aCall(), ['a.md'], null);
    expect(found.map(({ of, linked }) => [of.id, linked.length])).toEqual([['a.md#top/one', 1]]);
    const parents = await service().parents(aCall(), ['a.md']);
    expect(parents.found.map(({ of, linked }) => [of.id, linked.length])).toEqual([['a.md#top/one', 2]]);
  });

  it('stands for the document if a tool accepts any node, or if the document has no section', async () => {
    const { found } = await new GraphMentionsService(service()).entitiesOf(
      aCall(),
      ['a.md#_document', 'empty.md'],
      null,
    );
    expect(found.map(({ of }) => of.id)).toEqual(['a.md#_document', 'empty.md#_document']);
    const { nodes } = await service().describe(aCall(), ['a.md']);
    expect(idsOf(nodes)).toEqual(['a.md#_document']);
  });

  it('fails with index_busy if the index changes meanwhile', async () => {
    const changing = Object.assign(store(), { changesAfter: 1 });
    const asked = new GraphService(changing).parents(aCall(), ['a.md']);
    await expect(asked).rejects.toMatchObject({ reason: 'index_busy' });
  });
});

describe('expand', () => {
  const nodes = [aNode('seed'), ...someNodes(5)];
  const edges = [
    ...someNodes(5).map(({ id }) => anEdge('seed', 'REFERENCES', id)),
    anEdge('a-000', 'RELATED_TO', 'a-003'),
  ];
  const page = (offset: number, size: number) => ({ offset, size, withSnippet: false });

  it('lists the reached nodes without the seeds, with their distances and the edges', async () => {
    const found = await serviceOf(nodes, edges).expand(aCall(), ['seed'], ALL_WAYS);
    expect(found).toMatchObject({ generation: 'index:1', total: 5, notFound: [], isCut: false });
    expect(found.nodes).toEqual(someNodes(5).map((node, position) => ({ node, distance: 1, position })));
    expect(found.edges).toEqual(edges.slice(0, 5));
  });

  it('walks within the scope, to at most fifty neighbours of a node and two hundred nodes', async () => {
    const store = new FakeGraph(nodes, edges);
    const call = aCall();
    await new GraphService(store).expand(call, ['seed'], { relations: null, direction: 'in', maxHops: 3 });
    expect(store.asked).toEqual([
      {
        scope: call.scope,
        seeds: ['seed'],
        relations: RELATIONS,
        direction: 'in',
        maxHops: 3,
        fanOut: 50,
        limit: 200,
      },
    ]);
  });

  it('walks only along the requested relations', async () => {
    const walking = { ...ALL_WAYS, relations: ['RELATED_TO'] } as const;
    const found = await serviceOf(nodes, edges).expand(aCall(), ['a-000'], walking);
    expect(found.nodes.map(({ node }) => node.id)).toEqual(['a-003']);
  });

  it('returns a page, with the edges to this page and earlier ones', async () => {
    const service = serviceOf(nodes, edges);
    const walking = { ...ALL_WAYS, maxHops: 2 };
    const pages = [
      await service.expand(aCall(), ['seed'], { ...walking, ...page(0, 2) }),
      await service.expand(aCall(), ['seed'], { ...walking, ...page(2, 2) }),
      await service.expand(aCall(), ['seed'], { ...walking, ...page(4, 2) }),
    ];
    expect(pages.map((each) => each.nodes.map(({ node }) => node.id))).toEqual([
      ['a-000', 'a-001'],
      ['a-002', 'a-003'],
      ['a-004'],
    ]);
    expect(pages.map((each) => each.edges.map(({ target }) => target))).toEqual([
      ['a-000', 'a-001'],
      ['a-002', 'a-003', 'a-003'],
      ['a-004'],
    ]);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5]);
  });

  it('leaves out nodes of another scope with their edges, and counts them', async () => {
    const call = aCall(SCOPE);
    const mixed = nodes.map((node) => (node.id === 'a-001' ? { ...node, docTag: 'hidden' } : node));
    const found = await serviceOf(mixed, edges).expand(call, ['seed'], ALL_WAYS);
    expect(JSON.stringify(found)).not.toContain('a-001');
    expect(found.nodes).toHaveLength(4);
    expect(call.trace.drops['scope_mismatch']).toBeGreaterThanOrEqual(1);
  });

  it('starts from no node of another scope', async () => {
    const service = serviceOf([aNode('seed', { docTag: 'hidden' }), ...someNodes(5)], edges);
    expect(await service.expand(aCall(SCOPE), ['seed'], ALL_WAYS)).toMatchObject({
      nodes: [],
      edges: [],
      total: 0,
      notFound: ['seed'],
    });
  });
});

describe('paths', () => {
  const nodes = someNodes(6);
  const chain = [0, 1, 2, 3, 4].map((i) => anEdge(`a-00${i}`, 'NEXT_CHUNK', `a-00${i + 1}`));
  const limits = { relations: null, maxHops: 5, maxPaths: 10 };

  it.each([1, 2, 3, 4, 5])('finds a path of %d hops by walking from both ends', async (length) => {
    const { paths } = await serviceOf(nodes, chain).paths(aCall(), [['a-000'], [`a-00${length}`]], limits);
    expect(paths[0]).toEqual({
      nodes: idsOf(nodes).slice(0, length + 1),
      types: chain.slice(0, length).map(({ type }) => type),
      length,
    });
  });

  it.each([1, 2, 3, 4])('finds no path of more than %d hops if that is the limit', async (maxHops) => {
    const ends = [['a-000'], [`a-00${maxHops + 1}`]] as const;
    expect(await serviceOf(nodes, chain).paths(aCall(), ends, { ...limits, maxHops })).toMatchObject({
      paths: [],
    });
  });

  it('finds no path along other relations', async () => {
    const other = { ...limits, relations: ['REFERENCES'] as const };
    expect(await serviceOf(nodes, chain).paths(aCall(), [['a-000'], ['a-001']], other)).toMatchObject({
      paths: [],
    });
  });

  it('finds no path through a node of another scope, and counts that node', async () => {
    const call = aCall(SCOPE);
    const mixed = nodes.map((node) => (node.id === 'a-001' ? { ...node, docTag: 'hidden' } : node));
    expect(await serviceOf(mixed, chain).paths(call, [['a-000'], ['a-002']], limits)).toMatchObject({
      paths: [],
    });
    expect(call.trace.drops['scope_mismatch']).toBeGreaterThanOrEqual(1);
  });
});

describe('parents', () => {
  const nodes = [
    aNode('doc', { label: 'Document', level: 0 }),
    aNode('doc#a', { label: 'Heading' }),
    aNode('doc#a/b'),
    aNode('doc#a/c'),
  ];
  const edges = [
    anEdge('doc', 'PARENT_OF', 'doc#a'),
    anEdge('doc#a', 'PARENT_OF', 'doc#a/b'),
    anEdge('doc#a', 'PARENT_OF', 'doc#a/c'),
    anEdge('doc', 'HAS_CHUNK', 'doc#a/b'),
  ];

  it('lists the headings above each section, nearest first, up to the document', async () => {
    const { found, notFound } = await serviceOf(nodes, edges).parents(aCall(), [
      'doc#a/b',
      'x',
      'doc#a/c',
      'doc#a/b',
    ]);
    expect(found.map(({ of, linked }) => [of.id, linked.map(({ node }) => node.id)])).toEqual([
      ['doc#a/b', ['doc#a', 'doc']],
      ['doc#a/c', ['doc#a', 'doc']],
    ]);
    expect(notFound).toEqual(['x']);
  });

  it('lists nothing above a document', async () => {
    expect(await serviceOf(nodes, edges).parents(aCall(), ['doc'])).toMatchObject({
      found: [{ linked: [] }],
    });
  });
});

describe('children', () => {
  const FIRST = { offset: 0, size: 25 };

  it('lists steps, then the headings and sections directly below, and nothing deeper', async () => {
    const nodes = [aNode('top'), aNode('top/a'), aNode('top/a/b'), aNode('top/_step-1', { label: 'Step' })];
    const edges = [
      anEdge('top', 'PARENT_OF', 'top/a'),
      anEdge('top/a', 'PARENT_OF', 'top/a/b'),
      anEdge('top', 'CONTAINS_STEP', 'top/_step-1'),
      anEdge('top', 'NEXT_CHUNK', 'top/a'),
    ];
    expect(
      idsOf((await serviceOf(nodes, edges).children(aCall(), 'top', FIRST)).nodes.map(({ node }) => node)),
    ).toEqual(['top/_step-1', 'top/a']);
  });

  const store = (count: number) => {
    const below = someNodes(count);
    const edges = below.map(({ id }) => anEdge('top', 'PARENT_OF', id));
    return new FakeGraph([aNode('top'), ...below], edges);
  };

  it('lists any number of children, and describes only those of a page', async () => {
    const page = { offset: 690, size: 25 };
    const found = await new GraphService(store(700)).children(aCall(), 'top', page);
    expect(found.nodes.map(({ node }) => node.id)).toEqual(idsOf(someNodes(700).slice(690)));
    expect(found).toMatchObject({ total: 700, isCut: false });
  });

  it('reports that there are more children than it can list', async () => {
    const found = await new GraphService(store(2_001)).children(aCall(), 'top', FIRST);
    expect(found).toMatchObject({ total: 2_000, isCut: true });
  });
});
