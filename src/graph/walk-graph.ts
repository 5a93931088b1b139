import { type Relation, RELATIONS } from '../core/graph-model.js';
import type {
  Expansion,
  GraphEdge,
  GraphPage,
  GraphQuery,
  Subgraph,
} from '../core/ports/graph-store.port.js';

/** A neighbour of a node. */
export interface Neighbour {
  readonly id: string;
  readonly relation: Relation;
  /** True if the edge leads from the node to this neighbour. */
  readonly isOutward: boolean;
  readonly weight: number;
  /** Position in its document, from 0; 0 if it has none. */
  readonly position: number;
}

export type WalkLimits = Pick<GraphQuery, 'maxHops' | 'fanOut' | 'limit'>;

/** The result of a walk, in walk order. */
export type Walk = Omit<Subgraph, 'generation'>;

const rankOf = new Map<Relation, number>(RELATIONS.map((relation, i) => [relation, i]));

/** Sorts neighbours as `GraphStore` promises: by relation, outward first, by weight, document order and id. */
export function byFanOut(a: Neighbour, b: Neighbour): number {
  return (
    (rankOf.get(a.relation) ?? 0) - (rankOf.get(b.relation) ?? 0) ||
    Number(b.isOutward) - Number(a.isOutward) ||
    b.weight - a.weight ||
    a.position - b.position ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

/** Keeps the first `fanOut` neighbours of each relation and direction. @param neighbours  in `byFanOut` order */
function capped(neighbours: readonly Neighbour[], fanOut: number): Neighbour[] {
  let taken = 0;
  return neighbours.filter(({ relation, isOutward }, i) => {
    const before = neighbours[i - 1];
    taken = before?.relation === relation && before.isOutward === isOutward ? taken + 1 : 1;
    return taken <= fanOut;
  });
}

function edgeOf(from: string, { id, relation, isOutward, weight }: Neighbour): GraphEdge {
  const [source, target] = isOutward ? [from, id] : [id, from];
  return { source, type: relation, target, weight };
}

/** The nodes whose neighbours a walk needs next; all have the same distance from the seeds. */
export interface AskedNodes {
  /** In the order in which they are walked. */
  readonly ids: readonly string[];
  readonly areSeeds: boolean;
}

/** Returns the neighbours of a node in any order; null if not looked up yet. The first id must not give null. */
export type NeighboursOf = (id: string) => readonly Neighbour[] | null;

/**
 * Walks breadth first and asks for the neighbours of a whole level at once. The caller may look up only the first few;
 * the walk asks for the others again unless it has ended.
 * @param seeds  ids of nodes that exist, each once
 */
export function* walkByLevels(
  seeds: readonly string[],
  { maxHops, fanOut, limit }: WalkLimits,
): Generator<AskedNodes, Walk, NeighboursOf> {
  const distances = new Map(seeds.map((id) => [id, 0]));
  const edges = new Map<string, GraphEdge>();
  let isCut = false;
  const walkThrough = (id: string, distance: number, neighbours: readonly Neighbour[]): void => {
    for (const neighbour of capped(neighbours.toSorted(byFanOut), fanOut)) {
      if (!distances.has(neighbour.id)) {
        isCut ||= distances.size - seeds.length >= limit;
        if (isCut) continue;
        distances.set(neighbour.id, distance + 1);
      }
      const edge = edgeOf(id, neighbour);
      edges.set(`${edge.source}\n${edge.type}\n${edge.target}`, edge);
    }
  };
  let level = [...seeds];
  for (let distance = 0; distance < maxHops && level.length > 0 && !isCut; distance++) {
    const known = distances.size;
    let done = 0;
    while (done < level.length && !isCut) {
      const neighboursOf = yield { ids: done === 0 ? level : level.slice(done), areSeeds: distance === 0 };
      for (let found; done < level.length && !isCut; done++) {
        found = neighboursOf(level[done] ?? '');
        if (!found) break;
        walkThrough(level[done] ?? '', distance, found);
      }
    }
    level = [...distances.keys()].slice(known);
  }
  const nodes = [...distances].map(([id, distance]) => ({ id, distance }));
  return { nodes, edges: [...edges.values()], isCut };
}

/**
 * Walks breadth first; looks up the neighbours of one node at a time.
 * @param seeds  ids of nodes that exist, each once
 * @param neighboursOf  in any order; called for each node once, seeds first
 */
export function walkGraph(
  seeds: readonly string[],
  limits: WalkLimits,
  neighboursOf: (id: string, isSeed: boolean) => readonly Neighbour[],
): Walk {
  const walk = walkByLevels(seeds, limits);
  let step = walk.next(() => null);
  while (!step.done) {
    const { areSeeds } = step.value;
    step = walk.next((id) => neighboursOf(id, areSeeds));
  }
  return step.value;
}

/** Selects one page of a walk, and the edges of its nodes whose other end is a seed, or on this or an earlier page. */
export function pageOfWalk(
  { nodes, edges }: Pick<Walk, 'nodes' | 'edges'>,
  { offset, size }: Pick<GraphPage, 'offset' | 'size'>,
): Pick<Expansion, 'listed' | 'edges' | 'total'> {
  const reached = nodes.filter(({ distance }) => distance > 0);
  const seeds = nodes.filter(({ distance }) => distance === 0);
  const listed = reached.slice(offset, offset + size);
  const onPage = new Set(listed.map(({ id }) => id));
  const upToPage = new Set([...seeds, ...reached.slice(0, offset + size)].map(({ id }) => id));
  return {
    listed,
    edges: edges.filter(
      ({ source, target }) =>
        (onPage.has(source) || onPage.has(target)) && upToPage.has(source) && upToPage.has(target),
    ),
    total: reached.length,
  };
}
