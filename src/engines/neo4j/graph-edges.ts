import { RELATIONS } from '../../core/graph-model.js';
import type { BuiltPlace } from '../../ingest/built-index.js';
import { rowsTogether } from '../../sqlite/group-rows.js';
import type { Facts, GraphPlan } from './graph-plan.js';
import { linkEdges, type LinkEnd } from './link-edges.js';
import { mentionedEntities } from './mentioned-entities.js';

/** Internal relation from a title to its document or place. */
const OWNED_BY = 'OWNED_BY';
/** All relations stored in Neo4j. */
export const WRITTEN_RELATIONS = [...RELATIONS, OWNED_BY] as const;
/** A relation stored in Neo4j. */
export type WrittenRelation = (typeof WRITTEN_RELATIONS)[number];

interface PlannedEdge {
  readonly relation: WrittenRelation;
  readonly from: number;
  readonly to: number;
  readonly facts: Facts;
}

const NOWHERE = -1;
const STRUCTURE: Facts = { weight: 1 };

/** All edges of a graph. @param plan  its `nodes` have been iterated, so that all numbers are known */
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
    const parentNo = parent === null ? document : numberOf(plan, parent);
    yield { relation: 'PARENT_OF', from: parentNo, to, facts: STRUCTURE };
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

/** Documents without any place are skipped: they can't be looked up. */
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
