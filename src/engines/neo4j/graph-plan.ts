import { rowsTogether } from '../../core/collections/group-rows.js';
import { listsKey, listsName } from '../../core/document-groups.js';
import { ENTITY_TYPES, RELATIONS } from '../../core/graph-model.js';
import { nodeId, type NodeKind } from '../../core/node-id.js';
import { entityNode } from '../../graph/entity-node.js';
import type {
  BuiltGraph,
  BuiltLink,
  BuiltPlace,
  BuiltStep,
  GraphDocument,
  GraphHome,
} from '../../ingest/built-index.js';
import { mentionedEntities, type MentionedEntity } from './mentioned-entities.js';

/** The label of each kind of node. */
export const LABEL_OF = {
  document: 'Document',
  place: 'Place',
  step: 'Step',
  entity: 'Entity',
} as const satisfies Record<NodeKind, string>;

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

/** Internal relation from a title to its document or place. */
const OWNED_BY = 'OWNED_BY';
/** All relations stored in Neo4j. */
export const WRITTEN_RELATIONS = [...RELATIONS, OWNED_BY] as const;
/** A relation stored in Neo4j. */
export type WrittenRelation = (typeof WRITTEN_RELATIONS)[number];

/** The properties of a node or relation. */
export type Facts = Readonly<Record<string, string | number | readonly string[] | null>>;

/** A node with its id among its properties. */
export interface PlannedNode {
  readonly labels: NodeLabels;
  readonly facts: Facts & { readonly id: string };
}

/** An end of a relation. */
export interface GraphEnd {
  readonly label: (typeof LABEL_OF)[NodeKind];
  readonly id: string;
}

/** A relation between two nodes. */
export interface PlannedEdge {
  readonly relation: WrittenRelation;
  readonly from: GraphEnd;
  readonly to: GraphEnd;
  readonly facts: Facts;
}

const documentEnd = (path: string): GraphEnd => ({ label: 'Document', id: nodeId('document', path) });
const placeEnd = (id: string): GraphEnd => ({ label: 'Place', id });
const entityEnd = (key: string): GraphEnd => ({ label: 'Entity', id: nodeId('entity', key) });
const stepId = ({ place, number }: BuiltStep): string => nodeId('step', place, number);
const homeFacts = ({ path, docTag, repository, allow }: GraphHome) => ({
  ...{ path, docTag, repository },
  allow: listsName(listsKey(allow ?? [])),
});

function documentNode({ title, fromPlaces, fromDocuments, ...home }: GraphDocument): PlannedNode {
  const { id } = documentEnd(home.path);
  const facts = { id, title, level: 0, position: 0, fromPlaces, fromDocuments, ...homeFacts(home) };
  return { labels: 'Document', facts };
}

function placeNode({ isSection, parent: _, allow, ...place }: BuiltPlace): PlannedNode {
  const facts = { ...place, ...homeFacts({ ...place, allow }) };
  return { labels: isSection ? 'Place:Section' : 'Place:Heading', facts };
}

function stepNode(step: BuiltStep): PlannedNode {
  const { title, number: position } = step;
  return { labels: 'Step', facts: { id: stepId(step), title, position, snippet: title, ...homeFacts(step) } };
}

function plannedEntity({ key, calls, places }: MentionedEntity, mentionedBy: number | null): PlannedNode {
  const { id, label, title } = entityNode(key, calls, places.length);
  const facts = { id, sections: places.length, fromPlaces: places.length, mentionedBy };
  // An entity mentioned only by the title of a document gets no name, because that document may be hidden.
  if (calls.length === 0) return { labels: 'Entity', facts };
  const type = ENTITY_TYPES.find((each) => each === label) ?? 'Concept';
  return { labels: `Entity:${type}`, facts: { ...facts, type, title } };
}

/** All nodes of a graph. */
export function* plannedNodes(graph: BuiltGraph): Generator<PlannedNode> {
  for (const document of graph.documents()) yield documentNode(document);
  for (const place of graph.places()) yield placeNode(place);
  for (const step of graph.steps()) yield stepNode(step);
  const named = new Map([...graph.concepts()].map(({ entity, mentionedBy }) => [entity, mentionedBy]));
  for (const entity of mentionedEntities(graph.entityMentions()))
    yield plannedEntity(entity, named.get(entity.key) ?? null);
}

const STRUCTURE: Facts = { weight: 1 };

/** All relations that start at nodes of a graph. */
export function* plannedEdges(graph: BuiltGraph): Generator<PlannedEdge> {
  for (const places of rowsTogether(graph.places(), ({ path }) => path)) yield* structure(places);
  for (const step of graph.steps()) {
    const [from, to] = [placeEnd(step.place), { label: 'Step', id: stepId(step) } as const];
    yield { relation: 'CONTAINS_STEP', from, to, facts: STRUCTURE };
  }
  yield* linkEdges(graph.links());
  for (const { key, places } of mentionedEntities(graph.mentions())) {
    const to = entityEnd(key);
    for (const { place, ...facts } of places) {
      const from = placeEnd(place);
      yield { relation: 'MENTIONS', from, to, facts };
      if (facts.defines > 0) yield { relation: 'DEFINES', from, to, facts: { weight: facts.defines } };
    }
  }
  for (const { entity, document, place } of graph.owners()) {
    const to = place === null ? documentEnd(document) : placeEnd(place);
    yield { relation: OWNED_BY, from: entityEnd(entity), to, facts: {} };
  }
}

function* structure(places: readonly BuiltPlace[]): Generator<PlannedEdge> {
  const document = documentEnd(places[0]?.path ?? '');
  let last: GraphEnd | null = null;
  for (const { id, parent, isSection } of places) {
    const to = placeEnd(id);
    yield { relation: 'HAS_CHUNK', from: document, to, facts: STRUCTURE };
    yield {
      relation: 'PARENT_OF',
      from: parent === null ? document : placeEnd(parent),
      to,
      facts: STRUCTURE,
    };
    if (!isSection) continue;
    if (last !== null) yield { relation: 'NEXT_CHUNK', from: last, to, facts: STRUCTURE };
    last = to;
  }
}

/** The two edges of a link: from its section to the target, and from page to page. Self-links are left out. */
function linkEnds(link: BuiltLink): [from: GraphEnd, to: GraphEnd][] {
  const page = documentEnd(link.targetDocument);
  const ends: [GraphEnd, GraphEnd][] = [
    [placeEnd(link.place), link.targetPlace === null ? page : placeEnd(link.targetPlace)],
    [documentEnd(link.document), page],
  ];
  return ends.filter(([from, to]) => from.label !== to.label || from.id !== to.id);
}

/** Merges links with the same relation and ends into one edge. @param links  grouped by document */
export function* linkEdges(links: Iterable<BuiltLink>): Generator<PlannedEdge> {
  for (const group of rowsTogether(links, (link) => link.document)) {
    const edges = new Map<string, PlannedEdge & { readonly facts: { readonly weight: number } }>();
    for (const link of group) {
      for (const [from, to] of linkEnds(link)) {
        const { relation } = link;
        const key = JSON.stringify([relation, from, to]);
        edges.set(key, { relation, from, to, facts: { weight: (edges.get(key)?.facts.weight ?? 0) + 1 } });
      }
    }
    yield* edges.values();
  }
}
