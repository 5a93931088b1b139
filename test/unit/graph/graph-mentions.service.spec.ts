import type { GraphEdge, GraphNode } from '../../../src/core/ports/graph-store.port.js';
import { GraphService } from '../../../src/graph/graph.service.js';
import { GraphMentionsService } from '../../../src/graph/graph-mentions.service.js';
import { aCall } from '../../support/builders.js';
import { anEdge, anEntity, aNode, FakeGraph } from '../../support/graphs.js';

const serviceOf = (nodes: readonly GraphNode[], edges: readonly GraphEdge[]) =>
  new GraphMentionsService(new GraphService(new FakeGraph(nodes, edges)));
/** This number of nodes: `a-000`, `a-001`, … */
const someNodes = (count: number, overrides: Partial<GraphNode> = {}): GraphNode[] =>
  Array.from({ length: count }, (_, i) => aNode(`a-${String(i).padStart(3, '0')}`, overrides));

describe('entitiesOf', () => {
  it('lists entities that a section defines, then those it names often and few other sections name', async () => {
    const entities = [
      anEntity('common', { sections: 100 }),
      anEntity('rare', { sections: 2 }),
      anEntity('defined', { sections: 500 }),
      anEntity('often', { sections: 2 }),
    ];
    const edges = [
      anEdge('a', 'MENTIONS', 'entity:common', 3),
      anEdge('a', 'MENTIONS', 'entity:rare', 2),
      anEdge('a', 'MENTIONS', 'entity:defined', 1),
      anEdge('a', 'MENTIONS', 'entity:often', 4),
      anEdge('a', 'DEFINES', 'entity:defined'),
    ];
    const { found } = await serviceOf([aNode('a'), ...entities], edges).entitiesOf(aCall(), ['a'], null);
    expect(found.map(({ linked }) => linked.map(({ node, weight }) => `${node.title} ${weight}`))).toEqual([
      ['defined 1', 'often 4', 'rare 2', 'common 3'],
    ]);
  });

  it('breaks ties by id', async () => {
    const edges = [anEdge('a', 'MENTIONS', 'entity:z'), anEdge('a', 'MENTIONS', 'entity:b')];
    const { found } = await serviceOf([aNode('a'), anEntity('z'), anEntity('b')], edges).entitiesOf(
      aCall(),
      ['a'],
      null,
    );
    expect(found[0]?.linked.map(({ node }) => node.title)).toEqual(['b', 'z']);
  });

  it('finds the entities of a label after any number of others', async () => {
    const others = someNodes(55, { label: 'Command', docTag: null, repository: null, sections: 1 });
    const edges = [
      ...others.map(({ id }) => anEdge('a', 'MENTIONS', id, 2)),
      anEdge('a', 'MENTIONS', 'entity:ENOENT', 1),
    ];
    const service = serviceOf([aNode('a'), ...others, anEntity('ENOENT', { label: 'Error' })], edges);
    const { found } = await service.entitiesOf(aCall(), ['a'], ['Error']);
    expect(found[0]?.linked.map(({ node }) => node.title)).toEqual(['ENOENT']);
  });

  it('lists an entity that only the heading mentions', async () => {
    const edges = [anEdge('a', 'DEFINES', 'entity:x')];
    const { found } = await serviceOf([aNode('a'), anEntity('x')], edges).entitiesOf(aCall(), ['a'], null);
    expect(found[0]?.linked.map(({ node }) => node.title)).toEqual(['x']);
  });
});

describe('sectionsOf', () => {
  it('lists the sections that define an entity, then those that name it most often, ties by id', async () => {
    const edges = [
      anEdge('c', 'MENTIONS', 'entity:x', 1),
      anEdge('b', 'MENTIONS', 'entity:x', 1),
      anEdge('a', 'MENTIONS', 'entity:x', 5),
      anEdge('d', 'MENTIONS', 'entity:x', 2),
      anEdge('d', 'DEFINES', 'entity:x'),
    ];
    const nodes = ['a', 'b', 'c', 'd'].map((id) => aNode(id));
    const { found } = await serviceOf([anEntity('x'), ...nodes], edges).sectionsOf(aCall(), ['entity:x']);
    expect(found[0]?.linked.map(({ node, weight }) => `${node.id} ${weight}`)).toEqual([
      'd 2',
      'a 5',
      'b 1',
      'c 1',
    ]);
  });

  it('counts the mentions in a section even if many others name the entity more often', async () => {
    const others = someNodes(60);
    const edges = [
      ...others.map(({ id }) => anEdge(id, 'MENTIONS', 'entity:x', 2)),
      anEdge('defines', 'MENTIONS', 'entity:x', 1),
      anEdge('defines', 'DEFINES', 'entity:x'),
    ];
    const service = serviceOf([anEntity('x'), aNode('defines'), ...others], edges);
    const { found } = await service.sectionsOf(aCall(), ['entity:x']);
    expect(found[0]?.linked[0]).toEqual({ node: aNode('defines'), weight: 1 });
  });
});
