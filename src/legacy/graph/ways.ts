import type { Direction, GraphEdge } from '../../core/ports/graph-store.port.js';
import type { RelationRule } from './legacy-relations.js';

/** An edge as the older tools tell it. */
export interface LegacyEdge {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
}

interface Neighbour {
  readonly id: string;
  readonly edge: LegacyEdge;
}

/** Where each node can be left for, in the order of the walk. */
export type Neighbours = ReadonlyMap<string, readonly Neighbour[]>;

/** A node that was reached, and over which one. */
export interface Reached {
  readonly distance: number;
  /** Null for a start. */
  readonly from: string | null;
  readonly edge: LegacyEdge | null;
}

/** A shortest way to a node. */
export interface Way {
  readonly nodes: readonly string[];
  readonly edges: readonly LegacyEdge[];
}

function named({ source, target }: GraphEdge, { name, isReversed }: RelationRule): LegacyEdge {
  return isReversed ? { src: target, dst: source, type: name } : { src: source, dst: target, type: name };
}

/** An edge under the first name that lets it be walked from this end; undefined where none does. */
function edgeFrom(
  end: string,
  edge: GraphEdge,
  rules: readonly RelationRule[],
  direction: Direction,
): LegacyEdge | undefined {
  return rules
    .filter(({ relation }) => relation === edge.type)
    .map((rule) => named(edge, rule))
    .find(({ src }) => direction === 'both' || (direction === 'out') === (src === end));
}

/** Reads the edges of a walk under older names, some of which read a relation backwards. */
export function neighboursOf(
  edges: readonly GraphEdge[],
  rules: readonly RelationRule[],
  direction: Direction,
): Neighbours {
  const found = new Map<string, Neighbour[]>();
  const add = (from: string, id: string, edge: GraphEdge): void => {
    const told = edgeFrom(from, edge, rules, direction);
    if (told) found.set(from, [...(found.get(from) ?? []), { id, edge: told }]);
  };
  for (const edge of edges) {
    add(edge.source, edge.target, edge);
    add(edge.target, edge.source, edge);
  }
  return found;
}

/** What can be reached, breadth first, each once with its shortest way; the starts first. */
export function reach(
  neighbours: Neighbours,
  starts: readonly string[],
  maxHops: number,
): ReadonlyMap<string, Reached> {
  const reached = new Map<string, Reached>(starts.map((id) => [id, { distance: 0, from: null, edge: null }]));
  // A Map goes on with what is added while it is walked through.
  for (const [from, { distance }] of reached) {
    if (distance >= maxHops) break;
    for (const { id, edge } of neighbours.get(from) ?? []) {
      if (!reached.has(id)) reached.set(id, { distance: distance + 1, from, edge });
    }
  }
  return reached;
}

/** The way to a node that was reached. */
export function wayTo(id: string, reached: ReadonlyMap<string, Reached>): Way {
  const nodes = [id];
  const edges: LegacyEdge[] = [];
  for (let at = reached.get(id); at?.from && at.edge; at = reached.get(at.from)) {
    nodes.unshift(at.from);
    edges.unshift(at.edge);
  }
  return { nodes, edges };
}
