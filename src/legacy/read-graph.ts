import type { Call } from '../call.js';
import type { Direction, GraphEdge, GraphNode, GraphStore } from '../graph/graph-store.port.js';
import { scopeAllows } from '../scope/scope.js';
import type { RelationRule } from './legacy-relations.js';

/** A walk from some nodes under older names. */
export interface LegacyWalk {
  readonly seeds: readonly string[];
  readonly rules: readonly RelationRule[];
  readonly direction: Direction;
  readonly maxHops: number;
  /** Most neighbours of a node by one relation; 500 unless told. */
  readonly fanOut?: number;
  /** Most nodes besides the seeds; 2,000 unless told. */
  readonly limit?: number;
}

export interface Walked {
  /** Seeds that exist and may be seen, as asked for. */
  readonly seeds: readonly string[];
  readonly edges: readonly GraphEdge[];
  /** Whether there was more than a walk may reach. */
  readonly isCut: boolean;
}

/** What the port allows. */
export const MAX_FAN_OUT = 500;
export const MAX_NODES = 2_000;

const isOutward = ({ isReversed }: RelationRule, direction: Direction): boolean =>
  (direction === 'out') !== isReversed;

/** The one direction in which all rules walk; `both` where they differ. */
function directionOf(rules: readonly RelationRule[], direction: Direction): Direction {
  if (direction === 'both') return 'both';
  const outward = rules.filter((rule) => isOutward(rule, direction)).length;
  if (outward === rules.length) return 'out';
  return outward === 0 ? 'in' : 'both';
}

/**
 * Walks the graph. Where rules read relations both ways, more is walked than is wanted: `neighboursOf` sorts that out.
 * @throws BackendUnavailableError
 */
export async function walkFrom(store: GraphStore, call: Call, walk: LegacyWalk): Promise<Walked> {
  const { seeds, rules, direction, maxHops, fanOut = MAX_FAN_OUT, limit = MAX_NODES } = walk;
  if (seeds.length === 0 || rules.length === 0) return { seeds: [], edges: [], isCut: false };
  call.signal.throwIfAborted();
  const query = {
    scope: call.scope,
    seeds,
    relations: [...new Set(rules.map(({ relation }) => relation))],
    direction: directionOf(rules, direction),
    maxHops,
    fanOut,
    limit,
  };
  const { nodes, edges, isCut } = await store.walk(query);
  return { seeds: nodes.filter(({ distance }) => distance === 0).map(({ id }) => id), edges, isCut };
}

/** Nodes by id, in the order asked for, each once; unknown ones are left out. @throws BackendUnavailableError */
export async function describeAll(
  store: GraphStore,
  call: Call,
  ids: readonly string[],
  withSnippet = false,
): Promise<readonly GraphNode[]> {
  if (ids.length === 0) return [];
  call.signal.throwIfAborted();
  const { nodes } = await store.describe(call.scope, [...new Set(ids)], withSnippet);
  const known = new Map(nodes.flatMap((node) => (node ? [[node.id, node] as const] : [])));
  // Once more, as for every row; what has no tag is an entity, and visible through visible sections only.
  return [...known.values()].filter(
    ({ docTag, repository }) =>
      docTag === null || scopeAllows(call.scope, { docTag, repository: repository ?? '' }),
  );
}

/** The same by id. */
export async function nodesById(
  store: GraphStore,
  call: Call,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GraphNode>> {
  return new Map((await describeAll(store, call, ids)).map((node) => [node.id, node]));
}
