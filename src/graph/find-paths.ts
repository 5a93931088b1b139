import type { Relation } from '../core/graph-model.js';
import type { GraphEdge } from '../core/ports/graph-store.port.js';

/** A path from one node to another; `types[i]` leads between `nodes[i]` and `nodes[i + 1]`, in either direction. */
export interface GraphPath {
  readonly nodes: string[];
  readonly types: Relation[];
  readonly length: number;
}

export interface PathLimits {
  readonly maxHops: number;
  readonly maxPaths: number;
}

interface Step {
  readonly to: string;
  readonly type: Relation;
}

function stepsOf(edges: readonly GraphEdge[]): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const add = (from: string, step: Step): void => void steps.set(from, [...(steps.get(from) ?? []), step]);
  for (const { source, type, target } of edges) {
    add(source, { to: target, type });
    add(target, { to: source, type });
  }
  return steps;
}

/** Number of hops from a node to each node within the limit. */
function distancesFrom(
  from: string,
  steps: ReadonlyMap<string, readonly Step[]>,
  most: number,
): ReadonlyMap<string, number> {
  const distances = new Map([[from, 0]]);
  // Iterating over a Map includes entries that are added meanwhile.
  for (const [node, distance] of distances) {
    if (distance === most) break;
    for (const { to } of steps.get(node) ?? []) if (!distances.has(to)) distances.set(to, distance + 1);
  }
  return distances;
}

/** Yields all shortest paths that begin with `path` and lead to the end node, in the order of the edges. */
function* shortestPaths(
  path: GraphPath,
  towards: ReadonlyMap<string, number>,
  steps: ReadonlyMap<string, readonly Step[]>,
): Generator<GraphPath> {
  const end = path.nodes.at(-1) ?? '';
  const left = towards.get(end);
  if (left === 0) yield path;
  if (left === undefined || left === 0) return;
  const next = new Map<string, Step>();
  // Only the first of several edges between two nodes counts.
  for (const step of steps.get(end) ?? [])
    if (towards.get(step.to) === left - 1 && !next.has(step.to)) next.set(step.to, step);
  for (const { to, type } of next.values()) {
    const { nodes, types, length } = path;
    yield* shortestPaths(
      { nodes: [...nodes, to], types: [...types, type], length: length + 1 },
      towards,
      steps,
    );
  }
}

/**
 * Finds the shortest paths from each start node to each end node; edges count in both directions.
 * @param edges  in walk order, which breaks ties
 * @returns shortest first, ties in the order of the given nodes
 */
export function findPaths(
  [from, to]: readonly [readonly string[], readonly string[]],
  edges: readonly GraphEdge[],
  { maxHops, maxPaths }: PathLimits,
): GraphPath[] {
  const steps = stepsOf(edges);
  const paths: GraphPath[] = [];
  for (const end of new Set(to)) {
    const towards = distancesFrom(end, steps, maxHops);
    for (const start of new Set(from)) {
      if (start === end) continue;
      let found = 0;
      for (const path of shortestPaths({ nodes: [start], types: [], length: 0 }, towards, steps)) {
        if (found++ === maxPaths) break;
        paths.push(path);
      }
    }
  }
  return paths.sort((a, b) => a.length - b.length).slice(0, maxPaths);
}
