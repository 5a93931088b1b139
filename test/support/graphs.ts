import type {
  DocumentGraph,
  FoundHeading,
  FoundLink,
  FoundMention,
  FoundStep,
  IndexedDocument,
} from '../../src/core/indexed-document.js';
import {
  type Bridges,
  type DescribedNodes,
  type Expansion,
  type GraphEdge,
  type GraphNode,
  type GraphPage,
  type GraphQuery,
  GraphStore,
  type Subgraph,
} from '../../src/core/ports/graph-store.port.js';
import { type Scope, scopeAllows } from '../../src/core/scope.js';
import { GraphService } from '../../src/graph/graph.service.js';
import { GraphAnswersService } from '../../src/graph/graph-answers.service.js';
import { GraphMentionsService } from '../../src/graph/graph-mentions.service.js';
import { pageOfWalk, type Walk, walkGraph } from '../../src/graph/walk-graph.js';
import type { PassageNaming } from '../../src/scratch/passages.service.js';
import { anIndexedDocument, type DocumentParts } from './indexed-documents.js';

/** A link, by default in the first section. */
export function aLink(href: string, overrides: Partial<FoundLink> = {}): FoundLink {
  return { section: 0, href, isSeeAlso: false, ...overrides };
}

/** An entity that the first section mentions once. */
export function aMention(name: string, overrides: Partial<FoundMention> = {}): FoundMention {
  return { section: 0, name, type: 'Symbol', count: 1, isDefined: false, ...overrides };
}

/** The first step of the first section. */
export function aStep(title: string, overrides: Partial<FoundStep> = {}): FoundStep {
  return { section: 0, number: 1, title, ...overrides };
}

/** A heading without text, directly below the document. */
export function aHeading(id: string, overrides: Partial<FoundHeading> = {}): FoundHeading {
  const title = `Title of ${id}`;
  return { id, title, level: 2, anchor: null, parent: null, sections: [], ...overrides };
}

/** A document with this graph, and otherwise only its headings. */
export function aPage(
  path: string,
  graph: Partial<DocumentGraph> = {},
  parts: DocumentParts = {},
): IndexedDocument {
  const hash = parts.hash ?? JSON.stringify([path, graph, parts]);
  return anIndexedDocument({ ...parts, path, hash, graph: { links: [], mentions: [], steps: [], ...graph } });
}

/** Makes one text per section. */
export const someTexts = (count: number): string[] => Array.from({ length: count }, (_, i) => `Text ${i}.`);

export function aNode(id: string, overrides: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    label: 'Section',
    title: `Title of ${id}`,
    level: 2,
    tokens: 3,
    docTag: 'docs',
    repository: 'repo',
    anchor: null,
    sections: null,
    snippet: null,
    ...overrides,
  };
}

/** An entity with a number of mentioning sections. */
export function anEntity(name: string, overrides: Partial<GraphNode> = {}): GraphNode {
  const entity = { label: 'Symbol', title: name, level: null, tokens: 0, sections: 1 } as const;
  return aNode(`entity:${name}`, { ...entity, docTag: null, repository: null, ...overrides });
}

export function anEdge(source: string, type: GraphEdge['type'], target: string, weight = 1): GraphEdge {
  return { source, type, target, weight };
}

/**
 * A graph in memory. By default it ignores the scope, so that tests can check the service itself. Walks use
 * `walkGraph`, as in real stores.
 */
export class FakeGraph extends GraphStore {
  readonly asked: GraphQuery[] = [];
  /** Number of calls so far. */
  calls = 0;
  /** Number of calls after which the generation changes. */
  changesAfter = Infinity;
  /** True to report that every walk has reached its limit. */
  isAlwaysCut = false;
  /** True to respect the scope, as real stores do; entities are always visible. */
  knowsScope = false;

  constructor(
    private readonly nodes: readonly GraphNode[],
    private readonly edges: readonly GraphEdge[] = [],
  ) {
    super();
  }

  async describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes> {
    return { generation: this.nextGeneration(), nodes: this.told(scope, ids, withSnippet) };
  }

  async bridges(): Promise<Bridges> {
    return { generation: this.nextGeneration(), bridges: [] };
  }

  async walk(query: GraphQuery): Promise<Subgraph> {
    return { generation: this.nextGeneration(), ...this.walked(query) };
  }

  async expand(query: GraphQuery, page: GraphPage): Promise<Expansion> {
    const seeds = this.told(query.scope, query.seeds, page.withSnippet);
    const known = new Set(seeds.flatMap((seed) => (seed ? [seed.id] : [])));
    const walk = this.walked({ ...query, seeds: [...known] });
    const found = pageOfWalk(walk, page);
    const ends = found.edges.flatMap(({ source, target }) => [source, target]);
    const ids = new Set([...found.listed.map(({ id }) => id), ...ends]);
    const nodes = this.told(query.scope, [...ids], page.withSnippet).filter((node) => node !== null);
    return { generation: this.nextGeneration(), seeds, ...found, nodes, isCut: walk.isCut };
  }

  private told(scope: Scope, ids: readonly string[], withSnippet: boolean): (GraphNode | null)[] {
    const nodes = ids.map((id) => this.find(scope, id));
    return nodes.map((node) => node && (withSnippet ? node : { ...node, snippet: null }));
  }

  private walked(query: GraphQuery): Walk {
    this.asked.push(query);
    const seeds = query.seeds.flatMap((id) => this.find(query.scope, id)?.id ?? []);
    const walk = walkGraph([...new Set(seeds)], query, (id) =>
      this.edges.flatMap(({ source, type: relation, target, weight }) => {
        if (this.knowsScope && !this.find(query.scope, source === id ? target : source)) return [];
        const position = 0;
        const isWanted = query.relations.includes(relation);
        const out = isWanted && query.direction !== 'in' && source === id;
        const into = isWanted && query.direction !== 'out' && target === id;
        return [
          ...(out ? [{ id: target, relation, isOutward: true, weight, position }] : []),
          ...(into ? [{ id: source, relation, isOutward: false, weight, position }] : []),
        ];
      }),
    );
    return { ...walk, isCut: walk.isCut || this.isAlwaysCut };
  }

  async close(): Promise<void> {}

  private find(scope: Scope, id: string): GraphNode | null {
    const named = (name: string) => this.nodes.find((node) => node.id === name);
    const node = named(id) ?? named(`${id}#_document`);
    if (!node) return null;
    const { docTag, repository } = node;
    const isHidden = docTag !== null && !scopeAllows(scope, { docTag, repository: repository ?? '' });
    return this.knowsScope && isHidden ? null : node;
  }

  private nextGeneration(): string {
    return this.calls++ < this.changesAfter ? 'index:1' : 'index:2';
  }
}

/** The service of the graph tools, over a store. */
export function graphAnswers(store: GraphStore, naming: PassageNaming): GraphAnswersService {
  const graph = new GraphService(store);
  return new GraphAnswersService(graph, new GraphMentionsService(graph), naming);
}
