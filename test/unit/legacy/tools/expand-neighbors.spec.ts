import type { z } from 'zod';
import type { Reply } from '../../../../src/core/reply.js';
import { legacyExpandNeighbors } from '../../../../src/legacy/tools/expand-neighbors.js';
import { aGraph, WITHOUT_OTHER } from '../../../support/a-graph.js';
import { aCall } from '../../../support/builders.js';
import { aLegacyService, replyOf } from '../../../support/legacy-tools.js';

const STEPS = 'guide.md#install/steps';
type Args = Partial<z.input<typeof legacyExpandNeighbors.definition.input>>;
type ExpandOutput = z.output<typeof legacyExpandNeighbors.definition.output>;
/** Marks a reply as shown, as the pipeline does if it fits. */
const shown = (reply: Reply<ExpandOutput>): ExpandOutput => {
  reply.shown?.(reply.output);
  return reply.output;
};
const service = () => aLegacyService(aGraph());
const replyTo = (args: Args = {}, call = aCall(), of = service()) =>
  replyOf(legacyExpandNeighbors, of, { node_ids: [STEPS], ...args }, call);
const expand = async (...args: Parameters<typeof replyTo>) => shown(await replyTo(...args));
const idsOf = ({ nodes }: ExpandOutput) => nodes.map(({ id }) => id);
const edgesOf = ({ edges }: ExpandOutput) => edges.map(({ src, type, dst }) => `${src} ${type} ${dst}`);

describe('expand_neighbors', () => {
  it('returns its keys in their order', async () => {
    const output = await expand();
    expect(Object.keys(output)).toEqual([
      ...['nodes', 'edges', 'cursor', 'next_cursor', 'dedupe_applied'],
      ...['session_id', 'partial', 'limit_reason', 'meta'],
    ]);
    expect(Object.keys(output.nodes[0] ?? {})).toEqual([
      ...['id', 'label', 'title', 'level', 'tokens', 'doc_tag', 'anchor'],
    ]);
  });

  it('finds neighbours in both directions, without the start, with one label for sections and headings', async () => {
    const output = await expand();
    expect(output.nodes.map(({ id, label }) => `${label} ${id}`)).toEqual([
      'Document guide.md#_document',
      'Chunk guide.md#install',
      'Step guide.md#install/steps/_step-1',
      'Command entity:pith',
      'ConfigurationKey entity:port',
    ]);
  });

  it.each<[string, string[], string[]]>([
    ['out', ['PARENT_OF'], []],
    ['in', ['PARENT_OF'], ['guide.md#install PARENT_OF guide.md#install/steps']],
    ['out', ['CHILD_OF'], ['guide.md#install/steps CHILD_OF guide.md#install']],
    ['in', ['CHILD_OF'], []],
    ['out', ['PARENT_HEADING'], ['guide.md#install/steps PARENT_HEADING guide.md#install']],
    ['both', ['CHILD_OF'], ['guide.md#install/steps CHILD_OF guide.md#install']],
    ['both', ['CHILD_OF', 'PARENT_OF'], ['guide.md#install PARENT_OF guide.md#install/steps']],
    ['in', ['NEXT'], ['guide.md#install NEXT guide.md#install/steps']],
    ['sideways', ['NEXT_CHUNK'], ['guide.md#install NEXT_CHUNK guide.md#install/steps']],
    ['both', ['RESOLVES', 'EXECUTES'], []],
  ])('walks %s over %j as before', async (direction, relTypes, edges) => {
    expect(edgesOf(await expand({ direction, rel_types: relTypes }))).toEqual(edges);
  });

  it('reads names in both directions in one walk', async () => {
    const rel_types = ['CHILD_OF', 'CONTAINS_STEP'];
    expect(idsOf(await expand({ direction: 'out', rel_types, max_hops: 2 }))).toEqual([
      'guide.md#install',
      'guide.md#install/steps/_step-1',
      'guide.md#_document',
    ]);
  });

  it('refuses a name that was never allowed', async () => {
    await expect(expand({ rel_types: ['HAS_SECTION'] })).rejects.toMatchObject({
      reason: 'unknown_relation',
    });
  });

  it('returns for each node the edges of a shortest path to it', async () => {
    const output = await expand({
      node_ids: ['entity:port'],
      max_hops: 2,
      rel_types: ['MENTIONS', 'CHILD_OF'],
    });
    expect(idsOf(output)).toEqual([STEPS, 'guide.md#install', 'entity:pith']);
    expect(edgesOf(output)).toEqual([
      'guide.md#install/steps MENTIONS entity:port',
      'guide.md#install/steps CHILD_OF guide.md#install',
      'guide.md#install/steps MENTIONS entity:pith',
    ]);
  });

  it.each([
    [9, 3],
    [3, 3],
  ])('reads max_hops %i as %i', async (max_hops, hops) => {
    const store = aGraph();
    await expand({ max_hops }, aCall(), aLegacyService(store));
    expect(store.asked).toMatchObject([{ maxHops: hops }]);
  });

  it.each([0, -2])('finds nothing in %i hops', async (max_hops) => {
    expect(await expand({ max_hops })).toMatchObject({ nodes: [], edges: [] });
  });

  it('returns the beginnings of texts on request', async () => {
    const { nodes } = await expand({ include_snippet: true });
    expect(nodes.map(({ snippet }) => snippet)).toContain('Text of guide.md#install.');
  });

  it('omits dedupe_applied without nodes', async () => {
    const output = await expand({ node_ids: [] });
    expect(output).toMatchObject({ nodes: [], edges: [], next_cursor: null });
    expect(output).not.toHaveProperty('dedupe_applied');
  });

  it('pages through the list', async () => {
    const of = service();
    const first = await expand({ page_size: 2 }, aCall(), of);
    const second = await expand({ page_size: 2, cursor: first.next_cursor }, aCall(), of);
    expect(first).toMatchObject({ partial: true, limit_reason: 'page_size', next_cursor: 'Mg==' });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(await expand()).slice(0, 4));
  });

  it('omits nodes outside the scope', async () => {
    const node_ids = ['guide.md'];
    const call = aCall({ scope: WITHOUT_OTHER });
    expect(idsOf(await expand({ node_ids }))).toContain('other.md#_document');
    expect(idsOf(await expand({ node_ids }, call))).not.toContain('other.md#_document');
    expect(idsOf(await expand({ node_ids: ['other.md'] }, call))).toEqual([]);
  });

  it('drops nodes from the end to fit the response limit, and continues with them', async () => {
    const reply = await replyTo();
    const smaller = reply.build({ count: 1, maxChars: 0, reason: 'byte_cap' });
    expect(smaller).toMatchObject({ partial: true, limit_reason: 'byte_cap', next_cursor: 'MQ==' });
    expect(idsOf(smaller)).toEqual(['guide.md#_document']);
    expect(edgesOf(smaller)).toEqual(['guide.md#_document HAS_CHUNK guide.md#install/steps']);
  });
});

describe('what expand_neighbors has sent', () => {
  const MENTIONS = { rel_types: ['MENTIONS'] };

  it('is omitted in the next call, and counted', async () => {
    const of = service();
    const first = await expand(MENTIONS, aCall(), of);
    const again = await expand(MENTIONS, aCall(), of);
    expect(first.meta.usage.duplicates_suppressed).toBe(0);
    expect([first.nodes.length, first.edges.length]).toEqual([2, 2]);
    expect(again).toMatchObject({ nodes: [], edges: [], dedupe_applied: true });
    expect(again.meta.usage.duplicates_suppressed).toBe(4);
  });

  it('is sent again after 15 minutes', async () => {
    const of = service();
    await expand(MENTIONS, aCall(), of);
    const later = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 900_000);
    expect((await expand(MENTIONS, aCall(), of)).nodes).toHaveLength(2);
    later.mockRestore();
  });

  it.each([
    ['another session id', { session_id: 'b' }, {}],
    ['no session id', { session_id: null }, {}],
    ['another caller with that session id', { session_id: 'a' }, { principal: 'somebody else' }],
  ])('is sent to %s', async (_, input, caller) => {
    const of = service();
    const call = aCall();
    await expand({ ...MENTIONS, session_id: 'a' }, call, of);
    const other = { ...call, caller: { ...call.caller, ...caller } };
    expect((await expand({ ...MENTIONS, ...input }, other, of)).nodes).toHaveLength(2);
  });

  it('does not include items that the response limit removed', async () => {
    const of = service();
    const reply = await replyTo(MENTIONS, aCall(), of);
    reply.shown?.(reply.build({ count: 1, maxChars: 0, reason: 'byte_cap' }));
    expect(idsOf(await expand(MENTIONS, aCall(), of))).toEqual(['entity:port']);
  });
});

it('reports in its own shape that there is no graph', async () => {
  const { output } = await replyTo({}, aCall(), aLegacyService(null));
  expect(Object.keys(output)).toEqual([
    ...['error', 'nodes', 'edges', 'cursor', 'next_cursor', 'neo4j_disabled'],
    ...['session_id', 'partial', 'limit_reason', 'meta'],
  ]);
});
