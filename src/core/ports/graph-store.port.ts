import type { Scope } from '../scope.js';
import type { NodeLabel, Relation } from '../graph-model.js';

/** One thing in the graph, without text. */
export interface GraphNode {
  /** A section's id, `PATH#_document`, `SECTION/_step-N`, or `entity:KEY`; at most 1,024 UTF-8 bytes. */
  readonly id: string;
  readonly label: NodeLabel;
  /** Heading, title of the document, first sentence of the step, or name of the entity. */
  readonly title: string;
  /** 1..6 for headings and sections, 0 for documents, else null. */
  readonly level: number | null;
  /** Estimated tokens of a section's text; 0 for everything else. */
  readonly tokens: number;
  /** Of its document; null for entities, which have none. */
  readonly docTag: string | null;
  readonly repository: string | null;
  readonly anchor: string | null;
  /** Visible sections that mention an entity; null for everything else. */
  readonly sections: number | null;
  /** Start of its text where that was asked for, at most 200 characters; null for what has none. */
  readonly snippet: string | null;
}

export interface GraphEdge {
  readonly source: string;
  readonly type: Relation;
  readonly target: string;
  /** How often the link or mention occurs; 1 for structure. */
  readonly weight: number;
}

export type Direction = 'in' | 'out' | 'both';

/** A walk from some nodes. */
export interface GraphQuery {
  readonly scope: Scope;
  /** Ids of nodes; the path of a document counts as the document. Unknown and invisible ones are passed over. */
  readonly seeds: readonly string[];
  readonly relations: readonly Relation[];
  readonly direction: Direction;
  /** 1 to 7. */
  readonly maxHops: number;
  /** Most neighbours of a node by one relation and direction, best first, 1 to 2,000. */
  readonly fanOut: number;
  /** Most nodes besides the seeds, 1 to 2,000; the walk ends there. */
  readonly limit: number;
}

/** A node that a walk came to; `describe` tells what it is. */
export interface ReachedNode {
  readonly id: string;
  /** Hops from the nearest seed; 0 for a seed. */
  readonly distance: number;
}

/**
 * What a walk saw. The order is fixed: seeds as asked for, then breadth first; at each node the relations in the order of
 * `RELATIONS`, outward before inward, heavier edges first, then the order of the document, then the id. What is linked
 * with more than a hundred nodes by one relation and direction is reached but not walked through that way, unless it is
 * a seed.
 */
export interface Subgraph {
  readonly generation: string;
  readonly nodes: readonly ReachedNode[];
  /** Between these nodes, each once, in the order in which they were walked. */
  readonly edges: readonly GraphEdge[];
  /** Whether the limit ended the walk. */
  readonly isCut: boolean;
}

/** Which of the nodes that a walk reaches are told. */
export interface GraphPage {
  /** Nodes before them, in the order of the walk and without the seeds; from 0. */
  readonly offset: number;
  readonly size: number;
  readonly withSnippet: boolean;
}

/** A page of what a walk saw. */
export interface Expansion {
  readonly generation: string;
  /** One for each seed that was asked for; null where it is unknown or invisible. */
  readonly seeds: readonly (GraphNode | null)[];
  /** The nodes of the page, in the order of the walk. */
  readonly listed: readonly ReachedNode[];
  /** As in `pageOfWalk`, in the order in which they were walked. */
  readonly edges: readonly GraphEdge[];
  /** What these nodes and the ends of these edges are, each once, in any order. */
  readonly nodes: readonly GraphNode[];
  /** Nodes on all pages. */
  readonly total: number;
  /** Whether the limit ended the walk. */
  readonly isCut: boolean;
}

/** From the section that names to the one that is named; each pair once, sorted. */
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
  /** One for each id that was asked for; null where it is unknown or invisible. */
  readonly nodes: readonly (GraphNode | null)[];
}

/**
 * Documents, sections and things, and how they are linked. Every method is one read on one generation, and sees only what
 * the scope allows: no walk leads through a node of another doc tag or repository, and an entity is visible only through
 * visible sections.
 * @throws BackendUnavailableError
 */
export abstract class GraphStore {
  /** Nodes by id. A path alone is its document's, unless a section has it as id; an entity may be told by its name. */
  abstract describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes>;
  abstract walk(query: GraphQuery): Promise<Subgraph>;
  /** Walks and describes a page of what it reached, all at once. */
  abstract expand(query: GraphQuery, page: GraphPage): Promise<Expansion>;
  /**
   * Which of some visible sections, at most 100, name a title that stands over another of them in a different document.
   * Titles that more than `MAX_MENTIONED_BY` sections name lead nowhere in particular, and are left out.
   */
  abstract bridges(scope: Scope, sectionIds: readonly string[]): Promise<Bridges>;
  abstract close(): Promise<void>;
}
