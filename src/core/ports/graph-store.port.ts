import type { GroupLists } from '../document-groups.js';
import type { NodeLabel, Relation } from '../graph-model.js';
import type { Scope } from '../scope.js';

/** A node of the graph, without its text. */
export interface GraphNode {
  /** A section id, `PATH#_document`, `SECTION/_step-N`, or `entity:KEY`; at most 1,024 UTF-8 bytes. */
  readonly id: string;
  readonly label: NodeLabel;
  /** Heading, title of the document, first sentence of the step, or name of the entity. */
  readonly title: string;
  /** 1 to 6 for headings and sections, 0 for documents, else null. */
  readonly level: number | null;
  /** Estimated tokens of a section's text; 0 for everything else. */
  readonly tokens: number;
  /** Doc tag of its document; null for entities. */
  readonly docTag: string | null;
  readonly repository: string | null;
  /** The groups that may see its document; absent if everybody may, and for entities. */
  readonly allow?: GroupLists;
  readonly anchor: string | null;
  /** Number of visible sections that mention an entity; null for other nodes. */
  readonly sections: number | null;
  /** Start of its text if requested, at most 200 characters; null for nodes without text. */
  readonly snippet: string | null;
}

export interface GraphEdge {
  readonly source: string;
  readonly type: Relation;
  readonly target: string;
  /** Number of occurrences of the link or mention; 1 for structure. */
  readonly weight: number;
}

export type Direction = 'in' | 'out' | 'both';

/** A walk through the graph. */
export interface GraphQuery {
  readonly scope: Scope;
  /** Ids of the start nodes; a path stands for its document. Unknown and invisible ids are skipped. */
  readonly seeds: readonly string[];
  readonly relations: readonly Relation[];
  readonly direction: Direction;
  /** 1 to 7. */
  readonly maxHops: number;
  /** Largest number of neighbours per node, relation and direction, best first; 1 to 2,000. */
  readonly fanOut: number;
  /** Largest number of nodes other than the seeds, 1 to 2,000; the walk ends there. */
  readonly limit: number;
}

/** A node that a walk reached; `describe` returns its properties. */
interface ReachedNode {
  readonly id: string;
  /** Hops from the nearest seed; 0 for a seed. */
  readonly distance: number;
}

/**
 * The result of a walk. The order is fixed: seeds as given, then breadth first; at each node the relations in the
 * order of `RELATIONS`, outward before inward, heavier edges first, then by position in the document, then by id. A
 * node with more than a hundred neighbours by one relation and direction is reached, but the walk doesn't continue
 * from it that way, unless it is a seed.
 */
export interface Subgraph {
  readonly generation: string;
  readonly nodes: readonly ReachedNode[];
  /** Distinct edges between these nodes, in the order of the walk. */
  readonly edges: readonly GraphEdge[];
  /** True when the limit ended the walk. */
  readonly isCut: boolean;
}

/** The page of a walk to return. */
export interface GraphPage {
  /** Number of nodes before the page, in the order of the walk, without the seeds. */
  readonly offset: number;
  readonly size: number;
  readonly withSnippet: boolean;
}

/** A page of the result of a walk. */
export interface Expansion {
  readonly generation: string;
  /** One entry per seed; null for unknown and invisible seeds. */
  readonly seeds: readonly (GraphNode | null)[];
  /** The nodes of the page, in the order of the walk. */
  readonly listed: readonly ReachedNode[];
  /** The edges that `pageOfWalk` selects, in the order of the walk. */
  readonly edges: readonly GraphEdge[];
  /** The properties of the nodes on the page and at the ends of its edges, each once, in any order. */
  readonly nodes: readonly GraphNode[];
  /** Number of nodes on all pages. */
  readonly total: number;
  /** True when the limit ended the walk. */
  readonly isCut: boolean;
}

/** A link from a section to another section whose title it mentions. Bridges are distinct and sorted. */
export interface Bridge {
  readonly source: string;
  readonly target: string;
}

export interface Bridges {
  readonly generation: string;
  readonly bridges: readonly Bridge[];
}

export interface DescribedNodes {
  readonly generation: string;
  /** One entry per id; null for unknown and invisible ids. */
  readonly nodes: readonly (GraphNode | null)[];
}

/**
 * Documents, sections and entities, and the relations between them. Every method reads one generation and sees only
 * nodes in the scope: no walk leads through a node of another doc tag or repository, and an entity is visible only
 * through visible sections.
 * @throws BackendUnavailableError
 */
export abstract class GraphStore {
  /** Nodes by id. A path means its document, unless it is the id of a section; entities can be given by name. */
  abstract describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes>;
  abstract walk(query: GraphQuery): Promise<Subgraph>;
  /** Walks and describes one page of the reached nodes, in one read. */
  abstract expand(query: GraphQuery, page: GraphPage): Promise<Expansion>;
  /**
   * Finds the pairs among some sections (at most 100) where one mentions the title of the other, in different
   * documents. Titles that more than `MAX_MENTIONED_BY` sections mention are too common and are left out.
   */
  abstract bridges(scope: Scope, sectionIds: readonly string[]): Promise<Bridges>;
  abstract close(): Promise<void>;
}
