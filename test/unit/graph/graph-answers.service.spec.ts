import type { GraphEdge, GraphNode } from '../../../src/core/ports/graph-store.port.js';
import { type DescribeInput, type ExpandInput, toOutput } from '../../../src/graph/graph.schemas.js';
import type { GraphAnswersService } from '../../../src/graph/graph-answers.service.js';
import { PassageNaming } from '../../../src/scratch/passages.service.js';
import { aCall, SECRET } from '../../support/builders.js';
import { anEdge, anEntity, aNode, FakeGraph, graphAnswers } from '../../support/graphs.js';

const answersOf = (store: FakeGraph) => graphAnswers(store, new PassageNaming(SECRET, 'wekadocs'));

const anExpand = (overrides: Partial<ExpandInput> = {}): ExpandInput => ({
  node_ids: ['seed'],
  direction: 'both',
  max_hops: 1,
  include_snippet: false,
  page_size: 25,
  ...overrides,
});

/** A node that is linked with this number of others. */
function aStar(count: number, overrides: (i: number) => Partial<GraphNode> = () => ({})) {
  const others = Array.from({ length: count }, (_, i) =>
    aNode(`n-${String(i).padStart(3, '0')}`, overrides(i)),
  );
  const edges: GraphEdge[] = others.map(({ id }) => anEdge('seed', 'REFERENCES', id));
  return new FakeGraph([aNode('seed'), ...others], edges);
}

const SCOPE = { scope: { docTags: ['docs'] } };

/** All pages, starting with the first; stops after twenty. */
async function allPages(store: FakeGraph, overrides: Partial<ExpandInput>, call = aCall(SCOPE)) {
  const pages = [];
  let cursor: string | null = null;
  do {
    const { output } = await answersOf(store).expand(call, anExpand({ ...overrides, cursor }));
    pages.push(output);
    cursor = output.next_cursor;
  } while (cursor !== null && pages.length < 20);
  return pages;
}

describe('graph.expand', () => {
  it('returns each node once over all pages', async () => {
    const pages = await allPages(aStar(11), { page_size: 4 });
    const ids = pages.flatMap(({ nodes }) => nodes.map(({ id }) => id));
    expect(pages.map(({ nodes }) => nodes.length)).toEqual([4, 4, 3]);
    expect(new Set(ids).size).toBe(11);
    expect(pages.flatMap(({ edges }) => edges)).toHaveLength(11);
  });

  it('marks each page but the last one as partial', async () => {
    const pages = await allPages(aStar(5), { page_size: 4 });
    expect(pages).toMatchObject([
      { partial: true, limit_reason: 'page_size', next_cursor: expect.any(String) },
      { partial: false, limit_reason: 'none', next_cursor: null },
    ]);
  });

  it('returns each remaining node once if a node of another scope is left out', async () => {
    const pages = await allPages(
      aStar(11, (i) => (i === 1 ? { docTag: 'hidden' } : {})),
      { page_size: 4 },
    );
    const ids = pages.flatMap(({ nodes }) => nodes.map(({ id }) => id));
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
  });

  it('ends even if a whole page is left out', async () => {
    const pages = await allPages(
      aStar(9, (i) => (i < 4 ? { docTag: 'hidden' } : {})),
      { page_size: 4 },
    );
    expect(pages.flatMap(({ nodes }) => nodes)).toHaveLength(5);
  });

  it('continues with the items that were dropped to fit the budget', async () => {
    const store = aStar(11);
    const reply = await answersOf(store).expand(aCall(), anExpand({ page_size: 4 }));
    const small = reply.build({ count: 3, maxChars: 0, reason: 'byte_cap' });
    expect(small).toMatchObject({
      nodes: { length: 3 },
      edges: { length: 3 },
      partial: true,
      limit_reason: 'byte_cap',
    });
    const rest = await answersOf(store).expand(
      aCall(),
      anExpand({ page_size: 4, cursor: small.next_cursor }),
    );
    expect(rest.output.nodes[0]).toMatchObject({ id: 'n-003' });
  });

  it('reports that there is more if the walk ended at its limit', async () => {
    const store = aStar(3);
    store.isAlwaysCut = true;
    expect((await answersOf(store).expand(aCall(), anExpand())).output).toMatchObject({ partial: true });
  });

  it.each([
    ['other nodes', { node_ids: ['n-000'] }],
    ['other relations', { rel_types: ['REFERENCES' as const] }],
    ['another direction', { direction: 'out' as const }],
    ['more hops', { max_hops: 2 }],
    ['snippets', { include_snippet: true }],
  ])('rejects the cursor of a question with %s', async (_, other) => {
    const store = aStar(9);
    const { output } = await answersOf(store).expand(aCall(), anExpand({ page_size: 4 }));
    const next = answersOf(store).expand(aCall(), anExpand({ ...other, cursor: output.next_cursor }));
    await expect(next).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'cursor_invalid' });
  });

  it('rejects the cursor of another scope', async () => {
    const store = aStar(9);
    const { output } = await answersOf(store).expand(aCall(), anExpand({ page_size: 4 }));
    const next = answersOf(store).expand(aCall(SCOPE), anExpand({ cursor: output.next_cursor }));
    await expect(next).rejects.toMatchObject({ reason: 'cursor_invalid' });
  });

  it('rejects the cursor of an index that has changed', async () => {
    const store = aStar(9);
    const { output } = await answersOf(store).expand(aCall(), anExpand({ page_size: 4 }));
    store.changesAfter = 0;
    const next = answersOf(store).expand(aCall(), anExpand({ cursor: output.next_cursor }));
    await expect(next).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'cursor_stale' });
  });

  it('accepts a cursor for pages of another size', async () => {
    const store = aStar(9);
    const { output } = await answersOf(store).expand(aCall(), anExpand({ page_size: 4 }));
    const next = await answersOf(store).expand(
      aCall(),
      anExpand({ page_size: 2, cursor: output.next_cursor }),
    );
    expect(next.output.nodes.map(({ id }) => id)).toEqual(['n-004', 'n-005']);
  });
});

describe('graph.describe', () => {
  const store = () => new FakeGraph([aNode('a', { anchor: 'a' }), anEntity('x', { sections: 3 })]);
  const described = async (fields: DescribeInput['fields']) => {
    const input = { node_ids: ['a', 'entity:x'], include_snippet: false, fields };
    return (await answersOf(store()).describe(aCall(), input)).output.nodes;
  };

  it('returns all fields by default', async () => {
    expect(await described(undefined)).toMatchObject([{ title: 'Title of a', tokens: 3 }, { sections: 3 }]);
  });

  it('returns the requested fields and always the id', async () => {
    expect(await described(['tokens', 'anchor', 'sections'])).toEqual([
      { id: 'a', tokens: 3, anchor: 'a' },
      { id: 'entity:x', sections: 3 },
    ]);
  });
});

describe('graph.paths', () => {
  const between = Array.from({ length: 7 }, (_, i) => `b-${i}`);
  const store = () =>
    new FakeGraph(
      ['a', 'c', ...between].map((id) => aNode(id)),
      between.flatMap((id) => [anEdge('a', 'REFERENCES', id), anEdge(id, 'REFERENCES', 'c')]),
    );
  const input = { a_ids: ['a'], b_ids: ['c'], max_hops: 2, max_paths: 3 };

  it('returns each path once over all pages', async () => {
    const pages = [];
    let cursor: string | null = null;
    do {
      const { output } = await answersOf(store()).paths(aCall(), { ...input, cursor });
      pages.push(output);
      cursor = output.next_cursor;
    } while (cursor !== null && pages.length < 9);
    expect(pages.map(({ paths, partial }) => [paths.length, partial])).toEqual([
      [3, true],
      [3, true],
      [1, false],
    ]);
    expect(pages.flatMap(({ paths }) => paths.map(({ nodes }) => nodes[1]))).toEqual(between);
  });

  it('continues with the items that were dropped to fit the budget', async () => {
    const reply = await answersOf(store()).paths(aCall(), input);
    const { next_cursor: cursor } = reply.build({ count: 1, maxChars: 0, reason: 'byte_cap' });
    const next = await answersOf(store()).paths(aCall(), { ...input, cursor });
    expect(next.output.paths[0]?.nodes).toEqual(['a', 'b-1', 'c']);
  });

  it('reports that there are more paths than all pages show', async () => {
    const [from, to] = [
      ['a', 'b'],
      ['x', 'y', 'z'],
    ];
    const many = Array.from({ length: 34 }, (_, i) => `m-${i}`);
    const edges = [...from, ...to].flatMap((end) => many.map((id) => anEdge(end, 'REFERENCES', id)));
    const store = new FakeGraph(
      [...from, ...to, ...many].map((id) => aNode(id)),
      edges,
    );
    const { output } = await answersOf(store).paths(aCall(), {
      ...input,
      a_ids: from,
      b_ids: to,
      max_paths: 50,
    });
    expect(output).toMatchObject({
      paths: { length: 50 },
      partial: true,
      hint: expect.stringMatching(/truncated/),
    });
  });

  it('rejects the cursor of a question with other end nodes', async () => {
    const { output } = await answersOf(store()).paths(aCall(), input);
    const other = { ...input, b_ids: ['b-1'], cursor: output.next_cursor };
    await expect(answersOf(store()).paths(aCall(), other)).rejects.toMatchObject({
      reason: 'cursor_invalid',
    });
  });

  it('accepts a cursor for pages of another size', async () => {
    const { output } = await answersOf(store()).paths(aCall(), input);
    const next = await answersOf(store()).paths(aCall(), {
      ...input,
      max_paths: 9,
      cursor: output.next_cursor,
    });
    expect(next.output.paths).toHaveLength(4);
  });
});

describe('graph.children', () => {
  const below = Array.from({ length: 7 }, (_, i) => aNode(`top/${i}`));
  const store = () =>
    new FakeGraph(
      [aNode('top'), ...below],
      below.map(({ id }) => anEdge('top', 'PARENT_OF', id)),
    );

  it('returns each child once over all pages, in order', async () => {
    const first = (await answersOf(store()).children(aCall(), { parent_id: 'top', page_size: 4 })).output;
    const paging = { parent_id: 'top', cursor: first.next_cursor, page_size: 4 };
    const second = (await answersOf(store()).children(aCall(), paging)).output;
    expect(first).toMatchObject({ partial: true, limit_reason: 'page_size' });
    expect(second).toMatchObject({ partial: false, limit_reason: 'none', next_cursor: null });
    expect([...first.children, ...second.children].map(({ id }) => id)).toEqual(below.map(({ id }) => id));
  });

  it('rejects the cursor of another parent', async () => {
    const { next_cursor: cursor } = (
      await answersOf(store()).children(aCall(), { parent_id: 'top', page_size: 4 })
    ).output;
    const other = answersOf(store()).children(aCall(), { parent_id: 'top/1', cursor, page_size: 4 });
    await expect(other).rejects.toMatchObject({ reason: 'cursor_invalid' });
  });
});

describe('an unknown id', () => {
  const store = () => new FakeGraph([aNode('a')]);
  const answers = () => answersOf(store());
  const call = aCall();

  it.each([
    ['graph.describe', () => answers().describe(call, { node_ids: ['a', 'x'], include_snippet: false })],
    ['graph.expand', () => answers().expand(call, anExpand({ node_ids: ['a', 'x'] }))],
    [
      'graph.paths',
      () =>
        answers().paths(call, {
          a_ids: ['a'],
          b_ids: ['x'],
          max_hops: 3,
          max_paths: 10,
        }),
    ],
    ['graph.parents', () => answers().parents(call, { section_ids: ['a', 'x'] })],
    ['graph.children', () => answers().children(call, { parent_id: 'x', page_size: 25 })],
    [
      'graph.entities_for_sections',
      () => answers().entities(call, { section_ids: ['a', 'x'], max_per_section: 20 }),
    ],
    ['graph.sections_for_entities', () => answers().sections(call, { entity_ids: ['x'], max_per: 20 })],
  ])('is named by %s with a hint', async (_, ask) => {
    const { output } = await ask();
    expect(output).toMatchObject({ not_found: ['x'], hint: expect.stringMatching(/\S/), partial: false });
  });

  it('is not mentioned if all ids are known', async () => {
    const { output } = await answers().describe(call, { node_ids: ['a'], include_snippet: false });
    expect(Object.keys(output)).toEqual(['nodes', 'partial', 'limit_reason']);
  });
});

describe('an index change during a call', () => {
  const nodes = [aNode('a'), aNode('b'), aNode('c'), anEntity('x')];
  const edges = [
    anEdge('a', 'PARENT_OF', 'b'),
    anEdge('b', 'REFERENCES', 'c'),
    anEdge('b', 'MENTIONS', 'entity:x'),
    anEdge('c', 'MENTIONS', 'entity:x'),
  ];
  const call = aCall();
  const limits = { max_hops: 3, max_paths: 10 };
  let secondPage: ExpandInput;

  beforeAll(async () => {
    const input = anExpand({ node_ids: ['b'], page_size: 1 });
    const first = await answersOf(new FakeGraph(nodes, edges)).expand(call, input);
    secondPage = { ...input, cursor: first.output.next_cursor };
  });

  /** The result of a call for each point at which the index can change during the call. */
  async function outcomes(ask: (answers: GraphAnswersService) => Promise<unknown>): Promise<string[]> {
    const quiet = new FakeGraph(nodes, edges);
    await ask(answersOf(quiet));
    const moments = Array.from({ length: quiet.calls - 1 }, (_, i) => i + 1);
    return Promise.all(
      moments.map(async (changesAfter) => {
        const store = Object.assign(new FakeGraph(nodes, edges), { changesAfter });
        const failed = await ask(answersOf(store)).then(
          () => 'answered from two generations',
          (error: { code: string; reason: string }) => `${error.code} ${error.reason}`,
        );
        return `${changesAfter}: ${failed}`;
      }),
    );
  }

  it.each([
    ['graph.expand', (answers: GraphAnswersService) => answers.expand(call, secondPage)],
    [
      'graph.paths',
      (answers: GraphAnswersService) => answers.paths(call, { a_ids: ['a'], b_ids: ['c'], ...limits }),
    ],
    ['graph.parents', (answers: GraphAnswersService) => answers.parents(call, { section_ids: ['b', 'c'] })],
    [
      'graph.children',
      (answers: GraphAnswersService) => answers.children(call, { parent_id: 'a', page_size: 25 }),
    ],
    [
      'graph.entities_for_sections',
      (answers: GraphAnswersService) =>
        answers.entities(call, { section_ids: ['b', 'c'], max_per_section: 9 }),
    ],
    [
      'graph.sections_for_entities',
      (answers: GraphAnswersService) => answers.sections(call, { entity_ids: ['entity:x'], max_per: 9 }),
    ],
  ])('makes %s fail with index_busy', async (_, ask) => {
    const found = await outcomes(ask);
    expect(found).toEqual(found.map((each) => each.replace(/: .*/, ': BACKEND_UNAVAILABLE index_busy')));
  });
});

describe('toOutput', () => {
  it('leaves out fields that a node does not have', () => {
    expect(toOutput(anEntity('x', { sections: 3 }))).toEqual({
      id: 'entity:x',
      label: 'Symbol',
      title: 'x',
      sections: 3,
    });
    expect(toOutput(aNode('a', { anchor: 'a', snippet: 'Text.' }))).toEqual({
      id: 'a',
      label: 'Section',
      title: 'Title of a',
      level: 2,
      tokens: 3,
      doc_tag: 'docs',
      anchor: 'a',
    });
  });

  it('truncates a snippet to the limit, but never inside a character', () => {
    expect(toOutput(aNode('a', { snippet: 'Text.' }), 3).snippet).toHaveLength(3);
    expect(toOutput(aNode('a', { snippet: 'ab😀cd' }), 3).snippet?.isWellFormed()).toBe(true);
  });
});
