import { ENTITY_TYPES } from '../../core/graph-model.js';
import { nodeId } from '../../core/node-id.js';
import { entityNode } from '../../graph/entity-node.js';
import type { BuiltGraph, BuiltLink, BuiltPlace, GraphDocument } from '../../ingest/built-index.js';
import { rowsTogether } from '../../sqlite/group-rows.js';
import { mentionedEntities, type MentionedEntity } from './mentioned-entities.js';

/** An end of a relation. */
export interface LinkEnd {
  readonly kind: 'document' | 'place';
  /** The document's path, or the place's id. */
  readonly name: string;
}

/** All links with the same relation between the same two nodes. */
interface LinkEdge {
  readonly relation: BuiltLink['relation'];
  readonly from: LinkEnd;
  readonly to: LinkEnd;
  readonly links: number;
}

/** Number of distinct (source, relation) pairs among the incoming links of each node, including links from itself. */
interface LinkCrowds {
  /** Links from places to a place, by id of the target place. */
  readonly toPlace: ReadonlyMap<string, number>;
  /** Links from places to a document or to a place in it, by path of the target document. */
  readonly fromPlaces: ReadonlyMap<string, number>;
  /** Keys are paths of target documents, including links to their places; sources are documents. */
  readonly fromDocuments: ReadonlyMap<string, number>;
}

const document = (name: string): LinkEnd => ({ kind: 'document', name });
const place = (name: string): LinkEnd => ({ kind: 'place', name });

/** The two edges of a link: from its section to the target, and from page to page. Self-links are left out. */
function endsOf(link: BuiltLink): [from: LinkEnd, to: LinkEnd][] {
  const page = document(link.targetDocument);
  const ends: [LinkEnd, LinkEnd][] = [
    [place(link.place), link.targetPlace === null ? page : place(link.targetPlace)],
    [document(link.document), page],
  ];
  return ends.filter(([from, to]) => from.kind !== to.kind || from.name !== to.name);
}

/** Merges links with the same relation and ends into one edge. @param links  grouped by document */
export function* linkEdges(links: Iterable<BuiltLink>): Generator<LinkEdge> {
  for (const group of rowsTogether(links, (link) => link.document)) {
    const edges = new Map<string, LinkEdge>();
    for (const link of group) {
      for (const [from, to] of endsOf(link)) {
        const { relation } = link;
        const key = JSON.stringify([relation, from, to]);
        edges.set(key, { relation, from, to, links: (edges.get(key)?.links ?? 0) + 1 });
      }
    }
    yield* edges.values();
  }
}

/** Counts the incoming links of each node. @param links  grouped by document */
export function linkCrowds(links: Iterable<BuiltLink>): LinkCrowds {
  const crowds = {
    toPlace: new Map<string, number>(),
    fromPlaces: new Map<string, number>(),
    fromDocuments: new Map<string, number>(),
  };
  for (const group of rowsTogether(links, (link) => link.document)) {
    const seen = new Set<string>();
    const count = (crowd: keyof typeof crowds, target: string, ...from: readonly string[]): void => {
      const key = JSON.stringify([crowd, target, from]);
      if (seen.has(key)) return;
      seen.add(key);
      crowds[crowd].set(target, (crowds[crowd].get(target) ?? 0) + 1);
    };
    for (const { relation, targetDocument, targetPlace, place: from } of group) {
      if (targetPlace !== null) count('toPlace', targetPlace, from, relation);
      count('fromPlaces', targetDocument, from, relation);
      count('fromDocuments', targetDocument, relation);
    }
  }
  return crowds;
}

/** The label sets of nodes; every node also has the label `Pith`. */
export const LABEL_SETS = [
  'Document',
  'Place:Section',
  'Place:Heading',
  'Step',
  'Entity',
  ...ENTITY_TYPES.map((type) => `Entity:${type}` as const),
] as const;
/** A label set of a node. */
export type NodeLabels = (typeof LABEL_SETS)[number];

/** The properties of a node or relation. */
export type Facts = Readonly<Record<string, string | number | readonly string[] | null>>;

interface PlannedNode {
  readonly labels: NodeLabels;
  readonly facts: Facts;
}

/** Numbers the nodes of a graph and builds their properties. */
export class GraphPlan {
  /** Node numbers by path, place id or entity key; complete once `nodes` has been iterated. */
  readonly documents = new Map<string, number>();
  readonly places = new Map<string, number>();
  readonly entities = new Map<string, number>();
  private readonly facts = new Map<string, GraphDocument>();
  private readonly documentOf = new Map<string, string>();
  private readonly crowds: LinkCrowds;
  private next = 0;

  constructor(readonly graph: BuiltGraph) {
    this.crowds = linkCrowds(graph.links());
  }

  /** Iterates over all nodes; call it once. */
  *nodes(): Generator<PlannedNode> {
    for (const document of this.graph.documents()) yield this.document(document);
    for (const place of this.graph.places()) yield this.place(place);
    for (const { place, number, title } of this.graph.steps()) {
      const own = { no: this.next++, id: nodeId('step', place, number), title, position: number };
      const home = this.home(this.documentOf.get(place) ?? '');
      yield { labels: 'Step', facts: { ...own, snippet: title, ...home } };
    }
    const named = new Map([...this.graph.concepts()].map(({ entity, mentionedBy }) => [entity, mentionedBy]));
    for (const entity of mentionedEntities(this.graph.mentions()))
      yield this.entity(entity, named.get(entity.key) ?? null);
  }

  private home(path: string): Facts {
    const { docTag, repository } = this.facts.get(path) ?? { docTag: null, repository: null };
    return { path, docTag, repository };
  }

  private document(document: GraphDocument): PlannedNode {
    const { path, title } = document;
    this.facts.set(path, document);
    this.documents.set(path, this.next);
    const fromPlaces = this.crowds.fromPlaces.get(path) ?? 0;
    const fromDocuments = this.crowds.fromDocuments.get(path) ?? 0;
    const own = { no: this.next++, id: nodeId('document', path), title, level: 0, position: 0 };
    return { labels: 'Document', facts: { ...own, fromPlaces, fromDocuments, ...this.home(path) } };
  }

  private place({ isSection, document, parent: _, ...place }: BuiltPlace): PlannedNode {
    this.places.set(place.id, this.next);
    this.documentOf.set(place.id, document);
    const fromPlaces = this.crowds.toPlace.get(place.id) ?? 0;
    return {
      labels: isSection ? 'Place:Section' : 'Place:Heading',
      facts: { no: this.next++, ...place, fromPlaces, ...this.home(document) },
    };
  }

  private entity({ key, calls, places }: MentionedEntity, mentionedBy: number | null): PlannedNode {
    this.entities.set(key, this.next);
    const { id, label, title } = entityNode(key, calls, places.length);
    const facts = { no: this.next++, id, sections: places.length, fromPlaces: places.length, mentionedBy };
    // An entity mentioned only by the title of a document gets no name, because that document may be hidden.
    if (calls.length === 0) return { labels: 'Entity', facts };
    const type = ENTITY_TYPES.find((each) => each === label) ?? 'Concept';
    return { labels: `Entity:${type}`, facts: { ...facts, type, title } };
  }
}
