import fc from 'fast-check';
import { RELATIONS } from '../../../src/core/graph-model.js';
import type { GraphEdge } from '../../../src/core/ports/graph-store.port.js';
import { findPaths, type GraphPath, type PathLimits } from '../../../src/graph/find-paths.js';
import { anEdge } from '../../support/graphs.js';

/** Reads edges written as `a-b`; all are references. */
const references = (...pairs: readonly string[]): GraphEdge[] =>
  pairs.map((pair) => anEdge(pair.charAt(0), 'REFERENCES', pair.charAt(2)));
const find = (from: string, to: string, edges: readonly GraphEdge[], limits: Partial<PathLimits> = {}) =>
  findPaths([[...from], [...to]], edges, { maxHops: 5, maxPaths: 50, ...limits });
const nodesOf = (paths: readonly GraphPath[]): string[] => paths.map(({ nodes }) => nodes.join(''));

describe('findPaths', () => {
  it('returns the nodes, the relations between them, and the length of a path', () => {
    const edges = [anEdge('a', 'MENTIONS', 'x'), anEdge('b', 'DEFINES', 'x')];
    expect(find('a', 'b', edges)).toEqual([
      { nodes: ['a', 'x', 'b'], types: ['MENTIONS', 'DEFINES'], length: 2 },
    ]);
  });

  it.each([
    ['along the edges', 'a', 'c', ['abc']],
    ['against the edges', 'c', 'a', ['cba']],
    ['along one edge and against the next', 'b', 'd', ['bcd']],
  ])('goes %s', (_, from, to, expected) => {
    expect(nodesOf(find(from, to, references('a-b', 'b-c', 'd-c')))).toEqual(expected);
  });

  it('finds all shortest paths and no longer ones, in the order of the edges', () => {
    const edges = references('a-c', 'a-b', 'b-z', 'c-z', 'a-d', 'd-e', 'e-z');
    expect(nodesOf(find('a', 'z', edges))).toEqual(['acz', 'abz']);
  });

  it('uses only the first of several edges between two nodes', () => {
    const edges = [anEdge('a', 'MENTIONS', 'b'), anEdge('a', 'DEFINES', 'b'), anEdge('b', 'REFERENCES', 'a')];
    expect(find('a', 'b', edges)).toEqual([{ nodes: ['a', 'b'], types: ['MENTIONS'], length: 1 }]);
  });

  it.each([
    [1, []],
    [2, []],
    [3, ['abcd']],
    [5, ['abcd']],
  ])('goes at most %d hops', (maxHops, expected) => {
    expect(nodesOf(find('a', 'd', references('a-b', 'b-c', 'c-d'), { maxHops }))).toEqual(expected);
  });

  it('finds the paths of every pair, shortest first', () => {
    const edges = references('a-b', 'b-c', 'c-d');
    expect(nodesOf(find('ab', 'cd', edges))).toEqual(['bc', 'abc', 'bcd', 'abcd']);
  });

  it('returns at most the requested number, the shortest ones', () => {
    const edges = references('a-b', 'b-c', 'c-d');
    expect(nodesOf(find('ab', 'cd', edges, { maxPaths: 2 }))).toEqual(['bc', 'abc']);
  });

  it('finds no path from a node to itself, and uses each given node once', () => {
    expect(nodesOf(find('aab', 'aab', references('a-b')))).toEqual(['ba', 'ab']);
    expect(find('a', 'a', references('a-b', 'b-a'))).toEqual([]);
  });

  it.each([
    ['no edges', 'a', 'b', []],
    ['no connection', 'a', 'c', references('a-b', 'c-d')],
    ['no start', '', 'b', references('a-b')],
    ['no end', 'a', '', references('a-b')],
    ['unknown nodes', 'x', 'y', references('a-b')],
  ])('finds nothing if there is %s', (_, from, to, edges) => {
    expect(find(from, to, edges)).toEqual([]);
  });

  it('does not try all ways through ladders that lead nowhere', () => {
    const rungs = Array.from({ length: 24 }, (_, i) => [
      anEdge(`a${i}`, 'REFERENCES', `b${i}`),
      anEdge(`a${i}`, 'REFERENCES', `c${i}`),
      anEdge(`b${i}`, 'REFERENCES', `a${i + 1}`),
      anEdge(`c${i}`, 'REFERENCES', `a${i + 1}`),
    ]).flat();
    const paths = findPaths([['a0'], ['a24']], rungs, { maxHops: 48, maxPaths: 3 });
    expect(paths.map(({ length }) => length)).toEqual([48, 48, 48]);
  });
});

describe('findPaths on any graph', () => {
  const ids = fc.constantFrom(...'abcdefg');
  const anyEdges = fc.array(
    fc
      .tuple(ids, fc.constantFrom(...RELATIONS), ids)
      .filter(([source, , target]) => source !== target)
      .map(([source, type, target]) => anEdge(source, type, target)),
    { maxLength: 14 },
  );
  const anyEnds = fc.uniqueArray(ids, { minLength: 1, maxLength: 2 }).map((list) => list.join(''));

  const isEdge = (edges: readonly GraphEdge[], a: string, b: string): boolean =>
    edges.some(({ source, target }) => (source === a && target === b) || (source === b && target === a));

  /** Finds every path without repeated nodes by brute force. */
  function everyPath(path: string, to: string, edges: readonly GraphEdge[], maxHops: number): string[] {
    if (path.endsWith(to)) return [path];
    if (path.length > maxHops) return [];
    const next = [...'abcdefg'].filter((id) => !path.includes(id) && isEdge(edges, path.slice(-1), id));
    return next.flatMap((id) => everyPath(path + id, to, edges, maxHops));
  }

  function shortestOf(from: string, to: string, edges: readonly GraphEdge[], maxHops: number): string[] {
    const pairs = [...from].flatMap((a) => [...to].filter((b) => a !== b).map((b) => [a, b] as const));
    return pairs.flatMap(([a, b]) => {
      const paths = everyPath(a, b, edges, maxHops);
      return paths.filter(({ length }) => length === Math.min(...paths.map((path) => path.length)));
    });
  }

  it('finds the same paths as brute force, shortest first', () => {
    fc.assert(
      fc.property(anyEnds, anyEnds, anyEdges, fc.integer({ min: 1, max: 5 }), (from, to, edges, maxHops) => {
        const paths = find(from, to, edges, { maxHops, maxPaths: 1_000 });
        expect(nodesOf(paths).sort()).toEqual(shortestOf(from, to, edges, maxHops).sort());
        const lengths = paths.map(({ length }) => length);
        expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
      }),
    );
  });

  it('names an existing relation for each step', () => {
    fc.assert(
      fc.property(anyEnds, anyEnds, anyEdges, (from, to, edges) => {
        const steps = find(from, to, edges).flatMap(({ nodes, types }) =>
          types.map((type, i) => ({ type, ends: [nodes[i], nodes[i + 1]] })),
        );
        const isThere = ({ type, ends: [a = '', b = ''] }: (typeof steps)[number]): boolean =>
          isEdge(
            edges.filter((edge) => edge.type === type),
            a,
            b,
          );
        expect(steps.filter((step) => !isThere(step))).toEqual([]);
      }),
    );
  });

  it('finds paths of the same lengths with a lower limit, up to that limit', () => {
    fc.assert(
      fc.property(anyEnds, anyEnds, anyEdges, fc.integer({ min: 1, max: 4 }), (from, to, edges, maxPaths) => {
        const all = find(from, to, edges, { maxPaths: 1_000 });
        const few = find(from, to, edges, { maxPaths });
        const lengthsOf = (paths: readonly GraphPath[]) => paths.map(({ length }) => length);
        expect(lengthsOf(few)).toEqual(lengthsOf(all).slice(0, maxPaths));
      }),
    );
  });
});
