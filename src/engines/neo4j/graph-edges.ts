import { RELATIONS } from '../../core/graph-model.js';
import type { BuiltPlace } from '../../ingest/built-index.js';
import type { Facts, GraphPlan } from './graph-plan.js';
import { linkEdges } from './link-edges.js';
import type { LinkEnd } from './link-edges.js';
import { mentionedEntities } from './mentioned-entities.js';
import { rowsTogether } from './group-rows.js';

/** From a title to the document or place that has it; the graph of the port has no such relation. */
const OWNED_BY = 'OWNED_BY';
/** All relations that are written. */
export const WRITTEN_RELATIONS = [...RELATIONS, OWNED_BY] as const;
/** One of them. */
export type WrittenRelation = (typeof WRITTEN_RELATIONS)[number];

/** A relation between two numbered nodes, as it is written. */
export interface PlannedEdge {
  readonly relation: WrittenRelation;
  readonly from: number;
  readonly to: number;
  readonly facts: Facts;
}

const NOWHERE = -1;
const STRUCTURE: Facts = { weight: 1 };

/** All relations of a graph. @param plan  whose nodes were gone through */
export function* graphEdges(plan: GraphPlan): Generator<PlannedEdge> {
  const { graph } = plan;
  for (const places of rowsTogether(graph.places(), ({ document }) => document))
    yield* structure(plan, places);
  let no = plan.documents.size + plan.places.size;
  for (const { place } of graph.steps())
    yield { relation: 'CONTAINS_STEP', from: numberOf(plan, place), to: no++, facts: STRUCTURE };
  for (const { relation, from, to, links } of linkEdges(graph.links()))
    yield { relation, from: endOf(plan, from), to: endOf(plan, to), facts: { weight: links } };
  yield* mentions(plan);
  yield* owners(plan);
}

const numberOf = ({ places }: GraphPlan, place: string): number => places.get(place) ?? NOWHERE;

function endOf({ documents, places }: GraphPlan, { kind, name }: LinkEnd): number {
  return (kind === 'document' ? documents : places).get(name) ?? NOWHERE;
}

function* structure(plan: GraphPlan, places: readonly BuiltPlace[]): Generator<PlannedEdge> {
  const document = plan.documents.get(places[0]?.document ?? '') ?? NOWHERE;
  let last: number | null = null;
  for (const { id, parent, isSection } of places) {
    const to = numberOf(plan, id);
    yield { relation: 'HAS_CHUNK', from: document, to, facts: STRUCTURE };
    const above = parent === null ? document : numberOf(plan, parent);
    yield { relation: 'PARENT_OF', from: above, to, facts: STRUCTURE };
    if (!isSection) continue;
    if (last !== null) yield { relation: 'NEXT_CHUNK', from: last, to, facts: STRUCTURE };
    last = to;
  }
}

function* mentions(plan: GraphPlan): Generator<PlannedEdge> {
  for (const { key, places } of mentionedEntities(plan.graph.mentions())) {
    const to = plan.entities.get(key) ?? NOWHERE;
    for (const { place, ...facts } of places) {
      const from = numberOf(plan, place);
      yield { relation: 'MENTIONS', from, to, facts };
      if (facts.defines > 0) yield { relation: 'DEFINES', from, to, facts: { weight: facts.defines } };
    }
  }
}

/** A title of a document that has no place at all can't be looked up, and owns nothing. */
function* owners(plan: GraphPlan): Generator<PlannedEdge> {
  const filled = new Set<string>();
  for (const { document } of plan.graph.places()) filled.add(document);
  for (const { entity, document, place } of plan.graph.owners()) {
    const from = plan.entities.get(entity);
    if (from === undefined || !filled.has(document)) continue;
    const to = place === null ? plan.documents.get(document) : plan.places.get(place);
    yield { relation: OWNED_BY, from, to: to ?? NOWHERE, facts: {} };
  }
}
