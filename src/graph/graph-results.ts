import type { Relation } from '../core/graph-model.js';
import type { Direction, GraphEdge, GraphNode } from '../core/ports/graph-store.port.js';
import type { GraphPath } from './find-paths.js';

/** Options of a walk. */
export interface Walking extends Pick<Telling, 'generation'> {
  readonly relations: readonly Relation[] | null;
  readonly direction: Direction;
  readonly maxHops: number;
  readonly fanOut?: number;
  /** Maximum number of nodes besides the seeds. */
  readonly limit?: number;
}

/** How nodes are described, and from which index generation. */
export interface Telling {
  readonly withSnippet?: boolean;
  /** The current one if null or left out. */
  readonly generation?: string | null;
}

/** A page of the nodes that a walk reached. */
export interface Page extends Telling {
  readonly offset: number;
  readonly size: number;
}

interface Placed {
  readonly node: GraphNode;
  /** Place in the whole list, from 0. */
  readonly position: number;
}

export interface ReachedProjection extends Placed {
  readonly distance: number;
}

/** The nodes of some ids. */
export interface Described {
  readonly generation: string;
  /** One entry per id; null for unknown and invisible ids. */
  readonly each: readonly (GraphNode | null)[];
  /** Each node once, in the requested order. */
  readonly nodes: readonly GraphNode[];
  /** Ids that name no visible node. */
  readonly notFound: readonly string[];
}

/** A page of the children of a node. */
export interface Children extends Pick<Described, 'generation' | 'notFound'> {
  readonly nodes: readonly Placed[];
  /** Number of nodes on all pages. */
  readonly total: number;
  /** True if there are nodes that no page shows. */
  readonly isCut: boolean;
}

/** A page of the nodes around others, without the seeds, in the order of the walk. */
export interface Neighbourhood extends Children {
  readonly nodes: readonly ReachedProjection[];
  readonly edges: readonly GraphEdge[];
}

/** Shortest paths between two groups of nodes; cut if the walk was cut or there are more paths than the limit. */
export interface FoundPaths extends Pick<Children, 'generation' | 'isCut' | 'notFound'> {
  readonly paths: readonly GraphPath[];
}

/** A neighbour of a node, and how often the link or mention occurs. */
export interface Linked {
  readonly node: GraphNode;
  readonly weight: number;
}

/** Linked nodes for each requested node. */
export interface LinkedNodes {
  readonly found: readonly LinkedTo[];
  readonly notFound: readonly string[];
}

/** The linked nodes of one requested node. */
export interface LinkedTo {
  readonly of: GraphNode;
  readonly linked: readonly Linked[];
}
