import { Injectable } from '@nestjs/common';
import type { Call } from '../core/call.js';
import { asEntityId } from '../core/node-id.js';
import type { GraphEdge, GraphNode } from '../core/ports/graph-store.port.js';
import { GraphService, MAX_LISTED_NODES } from './graph.service.js';
import type { Described, Linked, LinkedNodes } from './graph-results.js';

type Order = (a: Linked, b: Linked) => number;

const byId = (a: Linked, b: Linked): number => (a.node.id < b.node.id ? -1 : 1);
const byDefinition =
  (defined: ReadonlySet<string>): Order =>
  (a, b) =>
    Number(defined.has(b.node.id)) - Number(defined.has(a.node.id));

/** Orders entities: defined ones first, then by mentions divided by the logarithm of the number of mentioning sections. */
function byTelling(defined: ReadonlySet<string>): Order {
  const first = byDefinition(defined);
  const tells = ({ node, weight }: Linked): number => weight / Math.log(1 + (node.sections ?? 1));
  return (a, b) => first(a, b) || tells(b) - tells(a) || byId(a, b);
}

/** Orders sections: defining ones first, then by mentions. */
function byMentions(defined: ReadonlySet<string>): Order {
  const first = byDefinition(defined);
  return (a, b) => first(a, b) || b.weight - a.weight || byId(a, b);
}

/** Links between sections and the entities that they name. */
@Injectable()
export class GraphMentionsService {
  constructor(private readonly graph: GraphService) {}

  /** Entities of each section: first those it defines, then those it names often and few other sections name. */
  async entitiesOf(
    call: Call,
    ids: readonly string[],
    labels: readonly string[] | null,
  ): Promise<LinkedNodes> {
    const { mentioned, notFound } = await this.mentions(
      call,
      await this.graph.describeSections(call, ids),
      'out',
    );
    const found = mentioned.map(({ of, linked, defined }) => {
      const wanted = linked.filter(({ node }) => !labels || labels.includes(node.label));
      return { of, linked: wanted.sort(byTelling(defined)) };
    });
    return { found, notFound };
  }

  /** The sections that name each entity, defining sections first, then by mentions. */
  async sectionsOf(call: Call, ids: readonly string[]): Promise<LinkedNodes> {
    // If a document and an entity have the same name, the entity is meant.
    const keyed = ids.map(asEntityId);
    const { mentioned, notFound } = await this.mentions(call, await this.graph.describe(call, keyed), 'in');
    const found = mentioned.map(({ of, linked, defined }) => ({
      of,
      linked: linked.sort(byMentions(defined)),
    }));
    return { found, notFound: ids.filter((_, i) => notFound.includes(keyed[i] ?? '')) };
  }

  private async mentions(call: Call, { generation, nodes, notFound }: Described, direction: 'in' | 'out') {
    const mentioned: {
      readonly of: GraphNode;
      readonly linked: Linked[];
      readonly defined: ReadonlySet<string>;
    }[] = [];
    for (const of of nodes) {
      const relations = ['MENTIONS', 'DEFINES'] as const;
      const walking = { relations, direction, maxHops: 1, fanOut: MAX_LISTED_NODES, generation };
      const { nodes: next, edges } = await this.graph.expand(call, [of.id], walking);
      const other = ({ source, target }: GraphEdge): string => (direction === 'out' ? target : source);
      const weights = new Map<string, number>();
      // For a very frequent entity, the walk may contain only the edge of its definition.
      for (const edge of edges)
        weights.set(other(edge), Math.max(edge.weight, weights.get(other(edge)) ?? 0));
      const defined = new Set(edges.filter(({ type }) => type === 'DEFINES').map(other));
      const linked = next.map(({ node }) => ({ node, weight: weights.get(node.id) ?? 0 }));
      mentioned.push({ of, linked, defined });
    }
    return { mentioned, notFound };
  }
}
