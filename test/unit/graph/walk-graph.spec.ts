import fc from 'fast-check';
import { RELATIONS } from '../../../src/core/graph-model.js';
import type { GraphEdge } from '../../../src/core/ports/graph-store.port.js';
import {
  byFanOut,
  type Neighbour,
  pageOfWalk,
  walkByLevels,
  walkGraph,
  type WalkLimits,
} from '../../../src/graph/walk-graph.js';
import { anEdge } from '../../support/graphs.js';

const aNeighbour = (id: string, overrides: Partial<Neighbour> = {}): Neighbour => ({
  id,
  relation: 'REFERENCES',
  isOutward: true,
  weight: 1,
  position: 0,
  ...overrides,
});

/** Looks up neighbours among edges, from both ends. */
const neighboursIn =
  (edges: readonly GraphEdge[]) =>
  (id: string): Neighbour[] =>
    edges.flatMap(({ source, type: relation, target, weight }) => [
      ...(source === id ? [aNeighbour(target, { relation, weight })] : []),
      ...(target === id ? [aNeighbour(source, { relation, weight, isOutward: false })] : []),
    ]);

const FAR: WalkLimits = { maxHops: 7, fanOut: 500, limit: 2_000 };
const walk = (seeds: readonly string[], edges: readonly GraphEdge[], limits: Partial<WalkLimits> = {}) =>
  walkGraph(seeds, { ...FAR, ...limits }, neighboursIn(edges));
const idsOf = ({ nodes }: ReturnType<typeof walk>): string[] => nodes.map(({ id }) => id);

describe('byFanOut', () => {
  it.each([
    [
      'relations in the order of the model',
      [aNeighbour('a', { relation: 'HAS_CHUNK' }), aNeighbour('b', { relation: 'DEFINES' })],
    ],
    ['outward before inward', [aNeighbour('b'), aNeighbour('a', { isOutward: false })]],
    ['heavier first', [aNeighbour('b', { weight: 2 }), aNeighbour('a')]],
    ['then by place in the document', [aNeighbour('b', { position: 1 }), aNeighbour('a', { position: 2 })]],
    ['then by id', [aNeighbour('a'), aNeighbour('b')]],
    ['relation before weight', [aNeighbour('a', { relation: 'HAS_CHUNK' }), aNeighbour('b', { weight: 9 })]],
    ['direction before weight', [aNeighbour('a'), aNeighbour('b', { isOutward: false, weight: 9 })]],
    ['weight before place', [aNeighbour('a', { weight: 2, position: 9 }), aNeighbour('b')]],
  ])('puts %s', (_, [first, second]) => {
    expect([second, first].flatMap((each) => each ?? []).sort(byFanOut)).toEqual([first, second]);
  });
});

describe('walkGraph', () => {
  it('lists the seeds, then their neighbours, then the neighbours of those', () => {
    const edges = [
      anEdge('a', 'REFERENCES', 'b'),
      anEdge('b', 'REFERENCES', 'c'),
      anEdge('z', 'REFERENCES', 'a'),
    ];
    expect(walk(['a'], edges).nodes).toEqual([
      { id: 'a', distance: 0 },
      { id: 'b', distance: 1 },
      { id: 'z', distance: 1 },
      { id: 'c', distance: 2 },
    ]);
  });

  it('returns edges in their own direction, whichever end they were found from', () => {
    expect(walk(['b'], [anEdge('a', 'REFERENCES', 'b', 3)]).edges).toEqual([
      anEdge('a', 'REFERENCES', 'b', 3),
    ]);
  });

  it('keeps several relations between two nodes apart', () => {
    const edges = [anEdge('a', 'MENTIONS', 'b', 2), anEdge('a', 'DEFINES', 'b')];
    expect(walk(['a'], edges)).toMatchObject({ nodes: { length: 2 }, edges });
  });

  it('walks each node of a cycle once', () => {
    const edges = [anEdge('a', 'NEXT_CHUNK', 'b'), anEdge('b', 'NEXT_CHUNK', 'a')];
    expect(walk(['a'], edges)).toEqual({
      nodes: [
        { id: 'a', distance: 0 },
        { id: 'b', distance: 1 },
      ],
      edges,
      isCut: false,
    });
  });

  it('has the edges between two seeds', () => {
    expect(walk(['a', 'b'], [anEdge('a', 'REFERENCES', 'b')], { maxHops: 1 }).edges).toHaveLength(1);
  });

  it('looks up each node once, and tells the lookup whether the node is a seed', () => {
    const asked: string[] = [];
    const edges = [
      anEdge('a', 'REFERENCES', 'b'),
      anEdge('b', 'REFERENCES', 'c'),
      anEdge('c', 'REFERENCES', 'a'),
    ];
    walkGraph(['a', 'b'], { ...FAR, maxHops: 2 }, (id, isSeed) => {
      asked.push(`${id} ${isSeed}`);
      return neighboursIn(edges)(id);
    });
    expect(asked).toEqual(['a true', 'b true', 'c false']);
  });

  it('does not look up the nodes at the hop limit', () => {
    const asked: string[] = [];
    walkGraph(['a'], { ...FAR, maxHops: 1 }, (id) => (asked.push(id), [aNeighbour('b')]));
    expect(asked).toEqual(['a']);
  });

  it.each([
    ['relation', { relation: 'RELATED_TO' }],
    ['direction', { isOutward: false }],
  ] as const)('limits each %s separately', (_, other) => {
    const neighbours = [aNeighbour('a'), aNeighbour('b'), aNeighbour('c', other), aNeighbour('d', other)];
    const { nodes } = walkGraph(['seed'], { maxHops: 1, fanOut: 1, limit: 10 }, () => neighbours);
    expect(nodes.map(({ id }) => id)).toEqual(['seed', 'a', 'c']);
  });

  it.each([
    [1, ['s', 'a'], true],
    [2, ['s', 'a', 'b'], false],
    [3, ['s', 'a', 'b'], false],
  ])('ends at %d nodes besides the seeds, and reports if there was more', (limit, ids, isCut) => {
    const found = walk(['s'], [anEdge('s', 'REFERENCES', 'a'), anEdge('s', 'REFERENCES', 'b')], { limit });
    expect([idsOf(found), found.isCut]).toEqual([ids, isCut]);
  });

  it('still returns edges to known nodes after reaching the limit', () => {
    const edges = [
      anEdge('s', 'NEXT_CHUNK', 'a'),
      anEdge('s', 'REFERENCES', 'b'),
      anEdge('s', 'MENTIONS', 'a'),
    ];
    expect(walk(['s'], edges, { limit: 1 })).toMatchObject({ edges: [edges[0], edges[2]], isCut: true });
  });

  it('finds nothing without seeds', () => {
    expect(walk([], [anEdge('a', 'REFERENCES', 'b')])).toEqual({ nodes: [], edges: [], isCut: false });
  });
});

describe('walkByLevels', () => {
  const edges = [
    anEdge('a', 'REFERENCES', 'b'),
    anEdge('a', 'REFERENCES', 'c'),
    anEdge('b', 'REFERENCES', 'd'),
    anEdge('c', 'REFERENCES', 'e'),
  ];
  /** Looks up this number of nodes each time. */
  const walkAsking = (atOnce: number, limits = FAR) => {
    const asked: string[] = [];
    const steps = walkByLevels(['a'], limits);
    let step = steps.next(() => null);
    while (!step.done) {
      const { ids, areSeeds } = step.value;
      asked.push(`${ids.join('')} ${areSeeds}`);
      const known = new Set(ids.slice(0, atOnce));
      step = steps.next((id) => (known.has(id) ? neighboursIn(edges)(id) : null));
    }
    return { asked, walk: step.value };
  };

  it('requests a whole level at once', () => {
    expect(walkAsking(9).asked).toEqual(['a true', 'bc false', 'de false']);
  });

  it('repeats the request for nodes of a level that were not looked up', () => {
    expect(walkAsking(1).asked).toEqual(['a true', 'bc false', 'c false', 'de false', 'e false']);
  });

  it('returns the same walk for any number of nodes looked up at once', () => {
    expect(walkAsking(1).walk).toEqual(walkAsking(9).walk);
    expect(walkAsking(9).walk).toEqual(walk(['a'], edges));
  });

  it('requests nothing more after reaching its limit', () => {
    expect(walkAsking(1, { ...FAR, limit: 2 }).asked).toEqual(['a true', 'bc false']);
  });
});

describe('walkGraph on any graph', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const anyEdges = fc.uniqueArray(
    fc
      .tuple(ids, fc.constantFrom(...RELATIONS), ids, fc.integer({ min: 1, max: 3 }))
      .filter(([source, , target]) => source !== target)
      .map(([source, type, target, weight]) => anEdge(source, type, target, weight)),
    { selector: ({ source, type, target }) => `${source} ${type} ${target}`, maxLength: 25 },
  );
  const anySeeds = fc.uniqueArray(ids, { minLength: 1, maxLength: 3 });
  const anyHops = fc.integer({ min: 1, max: 4 });
  const numberOf = (edges: readonly GraphEdge[]) => edges.length + 10;

  /** Computes distances from the seeds by relaxing every edge until nothing changes. */
  function hopsFrom(seeds: readonly string[], edges: readonly GraphEdge[]): Record<string, number> {
    const hops: Record<string, number> = Object.fromEntries(seeds.map((id) => [id, 0]));
    for (let round = 0; round < numberOf(edges); round++)
      for (const { source, target } of edges) {
        hops[target] = Math.min(hops[target] ?? Infinity, (hops[source] ?? Infinity) + 1);
        hops[source] = Math.min(hops[source] ?? Infinity, (hops[target] ?? Infinity) + 1);
      }
    return hops;
  }

  const keyOf = ({ source, type, target }: GraphEdge): string => `${source} ${type} ${target}`;

  it('reaches all nodes within its hops, with their shortest distances', () => {
    fc.assert(
      fc.property(anySeeds, anyEdges, anyHops, (seeds, edges, maxHops) => {
        const { nodes } = walk(seeds, edges, { maxHops });
        const near = Object.entries(hopsFrom(seeds, edges)).filter(([, hops]) => hops <= maxHops);
        expect(Object.fromEntries(nodes.map(({ id, distance }) => [id, distance]))).toEqual(
          Object.fromEntries(near),
        );
        const distances = nodes.map(({ distance }) => distance);
        expect(distances).toEqual(distances.toSorted((a, b) => a - b));
      }),
    );
  });

  it('has every edge of the walked nodes once', () => {
    fc.assert(
      fc.property(anySeeds, anyEdges, anyHops, (seeds, edges, maxHops) => {
        const hops = hopsFrom(seeds, edges);
        const near = ({ source, target }: GraphEdge): boolean =>
          Math.min(hops[source] ?? Infinity, hops[target] ?? Infinity) < maxHops;
        const found = walk(seeds, edges, { maxHops }).edges;
        expect(found.map(keyOf).sort()).toEqual(edges.filter(near).map(keyOf).sort());
      }),
    );
  });

  it('depends on the order of the seeds, but not on the order of the neighbours', () => {
    fc.assert(
      fc.property(anySeeds, anyEdges, anyHops, fc.nat(3), (seeds, edges, maxHops, fan) => {
        const limits = { maxHops, fanOut: fan + 1, limit: 4 };
        expect(walk(seeds, edges.toReversed(), limits)).toEqual(walk(seeds, edges, limits));
      }),
    );
  });

  it('finds the same first nodes with a limit as without', () => {
    fc.assert(
      fc.property(anySeeds, anyEdges, fc.nat(6), (seeds, edges, more) => {
        const whole = walk(seeds, edges);
        const cut = walk(seeds, edges, { limit: more + 1 });
        const most = seeds.length + more + 1;
        expect(cut.nodes).toEqual(whole.nodes.slice(0, most));
        expect(cut.isCut).toBe(whole.nodes.length > most);
        const wholeKeys = new Set(whole.edges.map(keyOf));
        const reached = new Set(idsOf(cut));
        expect(cut.edges.filter((edge) => !wholeKeys.has(keyOf(edge)))).toEqual([]);
        expect(
          cut.edges.filter(({ source, target }) => !reached.has(source) || !reached.has(target)),
        ).toEqual([]);
      }),
    );
  });

  it('follows no more neighbours of a seed per relation and direction than the fan-out', () => {
    fc.assert(
      fc.property(anyEdges, fc.integer({ min: 1, max: 3 }), (edges, fanOut) => {
        const found = walk(['a'], edges, { maxHops: 1, fanOut }).edges;
        const ways = found.map(({ source, type }) => `${type} ${source === 'a'}`);
        const counts = ways.map((way) => ways.filter((other) => other === way).length);
        expect(Math.max(0, ...counts)).toBeLessThanOrEqual(fanOut);
      }),
    );
  });
});

const paged = {
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
  ])('lists the node after the first %i, with its edges to earlier nodes', (offset, ids, edges) => {
    const page = pageOfWalk(paged, { offset, size: 1 });
    expect(page.listed.map(({ id }) => id)).toEqual(ids);
    expect(page.edges.map(({ source, target }) => `${source} ${target}`)).toEqual(edges);
  });

  it('counts all nodes except the seeds', () => {
    expect(pageOfWalk(paged, { offset: 0, size: 1 }).total).toBe(3);
  });
});
