import type { Call } from '../../core/call.js';
import { rowsByKey } from '../../core/collections/group-rows.js';
import type { Direction, GraphEdge, GraphNode } from '../../core/ports/graph-store.port.js';
import type { GraphService } from '../../graph/graph.service.js';
import type { Telling } from '../../graph/graph-results.js';
import type { RelationRule } from './legacy-relations.js';

/** The graph, and the call that reads it. */
export interface GraphReads {
  readonly graph: GraphService;
  readonly call: Call;
}

interface NamedWalk {
  readonly seeds: readonly string[];
  readonly rules: readonly RelationRule[];
  readonly direction: Direction;
  readonly maxHops: number;
  /** Maximum neighbours of a node by one relation; default 500. */
  readonly fanOut?: number;
  /** Maximum nodes besides the seeds; default 2,000. */
  readonly limit?: number;
}

interface Walked {
  /** Null if nothing was read. */
  readonly generation: string | null;
  /** The seeds that exist and are visible, in the order given. */
  readonly seeds: readonly string[];
  /** Contains more edges than requested if the names read relations in both directions. */
  readonly edges: readonly GraphEdge[];
  /** Neighbours and reached nodes under the older names. */
  readonly neighbours: Neighbours;
  readonly reached: ReadonlyMap<string, Reached>;
  /** True if the limit ended the walk. */
  readonly isCut: boolean;
}

/** An edge as the older tools return it. */
export interface LegacyEdge {
  readonly src: string;
  readonly dst: string;
  readonly type: string;
}

interface NamedNeighbour {
  readonly id: string;
  readonly edge: LegacyEdge;
}

/** The neighbours of each node, in the order of the walk. */
type Neighbours = ReadonlyMap<string, readonly NamedNeighbour[]>;

/** A node that was reached, and from where. */
export interface Reached {
  readonly distance: number;
  /** Null for a start. */
  readonly from: string | null;
  readonly edge: LegacyEdge | null;
}

/** Maximums of the graph port. */
export const MAX_FAN_OUT = 500;
export const MAX_NODES = 2_000;

/** The one direction in which all rules walk; `both` if they differ. */
function directionOf(rules: readonly RelationRule[], direction: Direction): Direction {
  if (direction === 'both') return 'both';
  const outward = rules.filter(({ isReversed }) => (direction === 'out') !== isReversed).length;
  if (outward === rules.length) return 'out';
  return outward === 0 ? 'in' : 'both';
}

/** Walks the graph. @throws BackendUnavailableError `index_busy` if the index is not of the given generation */
export async function walkNamed(
  { graph, call }: GraphReads,
  walk: NamedWalk,
  generation: string | null = null,
): Promise<Walked> {
  const { seeds, rules, direction, maxHops, fanOut = MAX_FAN_OUT, limit = MAX_NODES } = walk;
  const nothing = { seeds: [], edges: [], neighbours: new Map(), reached: new Map(), isCut: false };
  if (seeds.length === 0 || rules.length === 0) return { generation, ...nothing };
  const relations = [...new Set(rules.map(({ relation }) => relation))];
  const oneWay = directionOf(rules, direction);
  const walking = { relations, direction: oneWay, maxHops, fanOut, limit, generation };
  const { nodes, ...found } = await graph.walk(call, seeds, walking);
  const starts = nodes.filter(({ distance }) => distance === 0).map(({ id }) => id);
  const neighbours = neighboursOf(found.edges, walk);
  return { ...found, seeds: starts, neighbours, reached: reach(neighbours, starts, maxHops) };
}

/** Visible nodes by id, in the order given, each once. */
export async function nodesById(
  { graph, call }: GraphReads,
  ids: readonly string[],
  telling: Telling = {},
): Promise<ReadonlyMap<string, GraphNode>> {
  return ids.length === 0 ? new Map() : graph.nodesById(call, ids, telling);
}

function named({ source, target }: GraphEdge, { name, isReversed }: RelationRule): LegacyEdge {
  return isReversed ? { src: target, dst: source, type: name } : { src: source, dst: target, type: name };
}

/** The edge under the first older name that allows a walk from this end. */
function edgeFrom(
  end: string,
  edge: GraphEdge,
  { rules, direction }: Pick<NamedWalk, 'rules' | 'direction'>,
): LegacyEdge | undefined {
  return rules
    .filter(({ relation }) => relation === edge.type)
    .map((rule) => named(edge, rule))
    .find(({ src }) => direction === 'both' || (direction === 'out') === (src === end));
}

/** Reads the edges of a walk under older names, some of which reverse a relation. */
export function neighboursOf(
  edges: readonly GraphEdge[],
  walk: Pick<NamedWalk, 'rules' | 'direction'>,
): Neighbours {
  const steps = (from: string, id: string, edge: GraphEdge) => {
    const told = edgeFrom(from, edge, walk);
    return told ? [{ from, id, edge: told }] : [];
  };
  const found = edges.flatMap((edge) => [
    ...steps(edge.source, edge.target, edge),
    ...steps(edge.target, edge.source, edge),
  ]);
  return rowsByKey(found, ({ from }) => from);
}

/** Ids of the neighbours of a node, each once. */
export function endsOf(neighbours: Neighbours, id: string): string[] {
  return [...reach(neighbours, [id], 1).keys()].slice(1);
}

/**
 * Reachable nodes, breadth first, each once with a shortest path; the starts first. `walkGraph` cannot replace this:
 * an older name can read a relation backwards, and the edges of a walk lack the positions that it sorts by.
 */
export function reach(
  neighbours: Neighbours,
  starts: readonly string[],
  maxHops: number,
): ReadonlyMap<string, Reached> {
  const reached = new Map<string, Reached>(starts.map((id) => [id, { distance: 0, from: null, edge: null }]));
  // Iterating over a Map includes entries that are added meanwhile.
  for (const [from, { distance }] of reached) {
    if (distance >= maxHops) break;
    for (const { id, edge } of neighbours.get(from) ?? []) {
      if (!reached.has(id)) reached.set(id, { distance: distance + 1, from, edge });
    }
  }
  return reached;
}

/** The shortest path to a reached node. */
export function pathTo(
  id: string,
  reached: ReadonlyMap<string, Reached>,
): { nodes: string[]; edges: LegacyEdge[] } {
  const nodes = [id];
  const edges: LegacyEdge[] = [];
  for (let at = reached.get(id); at?.from && at.edge; at = reached.get(at.from)) {
    nodes.unshift(at.from);
    edges.unshift(at.edge);
  }
  return { nodes, edges };
}
