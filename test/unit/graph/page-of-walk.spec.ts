import { pageOfWalk } from '../../../src/graph/page-of-walk.js';
import { anEdge } from '../../support/graphs.js';

const walk = {
  nodes: [
    { id: 'seed', distance: 0 },
    { id: 'a', distance: 1 },
    { id: 'b', distance: 1 },
    { id: 'c', distance: 2 },
  ],
  edges: [
    anEdge('seed', 'REFERENCES', 'a'),
    anEdge('seed', 'REFERENCES', 'b'),
    anEdge('b', 'NEXT_CHUNK', 'a'),
    anEdge('c', 'NEXT_CHUNK', 'b'),
  ],
};

describe('pageOfWalk', () => {
  it.each([
    [0, ['a'], ['seed a']],
    [1, ['b'], ['seed b', 'b a']],
    [2, ['c'], ['c b']],
    [3, [], []],
  ])('lists what follows %i nodes, with the edges to what was listed before', (offset, ids, edges) => {
    const page = pageOfWalk(walk, { offset, size: 1 });
    expect(page.listed.map(({ id }) => id)).toEqual(ids);
    expect(page.edges.map(({ source, target }) => `${source} ${target}`)).toEqual(edges);
  });

  it('counts all but the seeds', () => {
    expect(pageOfWalk(walk, { offset: 0, size: 1 }).total).toBe(3);
  });
});
