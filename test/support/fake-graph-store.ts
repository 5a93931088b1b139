import type { NodeLabel, Relation } from '../../src/graph/graph-model.js';
import { RELATIONS } from '../../src/graph/graph-model.js';
import { GraphStore } from '../../src/graph/graph-store.port.js';
import type {
  Bridges,
  DescribedNodes,
  Expansion,
  GraphEdge,
  GraphNode,
  GraphPage,
  GraphQuery,
  Subgraph,
} from '../../src/graph/graph-store.port.js';
import type { Scope } from '../../src/scope/scope.js';
import { pageOfWalk } from '../../src/graph/page-of-walk.js';
import { scopeAllows } from '../../src/scope/scope.js';

/** A node with what differs; its title is its id unless told. */
export function aNode(
  id: string,
  label: NodeLabel = 'Section',
  overrides: Partial<GraphNode> = {},
): GraphNode {
  const isText = ['Document', 'Section', 'Heading', 'Step'].includes(label);
  return {
    id,
    label,
    title: id,
    level: label === 'Section' || label === 'Heading' ? 2 : null,
    tokens: label === 'Section' ? 10 : 0,
    docTag: isText ? 'docs' : null,
    repository: isText ? 'repo' : null,
    anchor: label === 'Section' ? 'anchor' : null,
    sections: isText ? null : 1,
    snippet: label === 'Section' ? `Text of ${id}.` : null,
    ...overrides,
  };
}

/** `['a', 'NEXT_CHUNK', 'b']` as an edge. */
export function anEdge([source, type, target]: readonly [string, Relation, string]): GraphEdge {
  return { source, type, target, weight: 1 };
}

/**
 * NOT a real store: a fake that keeps the port's promise on the order and the limits in memory, for unit tests. It knows no
 * weights, no hubs, and entities are visible to everybody.
 */
export class FakeGraphStore extends GraphStore {
  readonly walks: GraphQuery[] = [];
  private readonly nodes: ReadonlyMap<string, GraphNode>;
  private readonly edges: readonly GraphEdge[];

  constructor(nodes: readonly GraphNode[], edges: readonly (readonly [string, Relation, string])[]) {
    super();
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    this.edges = edges.map(anEdge);
  }

  async describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes> {
    const found = ids.map((id) => this.visible(scope, [id])[0] ?? null);
    const nodes = found.map((node) => node && (withSnippet ? node : { ...node, snippet: null }));
    return { generation: 'fake:1', nodes };
  }

  async bridges(): Promise<Bridges> {
    return { generation: 'fake:1', bridges: [] };
  }

  async walk(query: GraphQuery): Promise<Subgraph> {
    this.walks.push(query);
    const seeds = this.visible(query.scope, query.seeds).map(({ id }) => id);
    const distances = new Map(seeds.map((id) => [id, 0]));
    const edges = new Set<GraphEdge>();
    let isCut = false;
    for (const [id, distance] of distances) {
      if (distance >= query.maxHops) break;
      for (const { edge, other } of this.around(id, query)) {
        if (this.visible(query.scope, [other]).length === 0) continue;
        if (!distances.has(other) && distances.size - seeds.length >= query.limit) {
          isCut = true;
          continue;
        }
        if (!distances.has(other)) distances.set(other, distance + 1);
        edges.add(edge);
      }
    }
    const nodes = [...distances].flatMap(([id, distance]) => {
      const node = this.nodes.get(id);
      return node ? [{ ...node, snippet: null, distance }] : [];
    });
    return { generation: 'fake:1', nodes, edges: [...edges], isCut };
  }

  async expand(query: GraphQuery, page: GraphPage): Promise<Expansion> {
    const { generation, nodes: seeds } = await this.describe(query.scope, query.seeds, page.withSnippet);
    const { isCut, ...walk } = await this.walk(query);
    const found = pageOfWalk(walk, page);
    const ids = new Set([
      ...found.listed.map(({ id }) => id),
      ...found.edges.flatMap(({ source, target }) => [source, target]),
    ]);
    const { nodes } = await this.describe(query.scope, [...ids], page.withSnippet);
    return { generation, seeds, ...found, nodes: nodes.filter((node) => node !== null), isCut };
  }

  async close(): Promise<void> {}

  private around(id: string, { relations, direction, fanOut }: GraphQuery) {
    return RELATIONS.filter((relation) => relations.includes(relation)).flatMap((relation) => {
      const ofThis = this.edges.filter(({ type }) => type === relation);
      const out = ofThis.filter(({ source }) => source === id && direction !== 'in').slice(0, fanOut);
      const inward = ofThis.filter(({ target }) => target === id && direction !== 'out').slice(0, fanOut);
      return [
        ...out.map((edge) => ({ edge, other: edge.target })),
        ...inward.map((edge) => ({ edge, other: edge.source })),
      ];
    });
  }

  private visible(scope: Scope, ids: readonly string[]): GraphNode[] {
    const found = [...new Set(ids)].flatMap(
      (id) => this.nodes.get(id) ?? this.nodes.get(`${id}#_document`) ?? [],
    );
    return [...new Set(found)].filter(
      ({ docTag, repository }) =>
        docTag === null || scopeAllows(scope, { docTag, repository: repository ?? '' }),
    );
  }
}
