import { ENTITY_TYPES, type EntityType } from '../core/graph-model.js';
import { nodeId } from '../core/node-id.js';
import type { GraphNode } from '../core/ports/graph-store.port.js';

/** A name and type that some sections give an entity. */
export interface EntityCall {
  readonly type: EntityType;
  readonly name: string;
  /** Number of these sections. */
  readonly places: number;
}

/** The value that most sections use; ties by order. */
function mostCommon<T>(
  calls: readonly EntityCall[],
  valueOf: (call: EntityCall) => T,
  order: (value: T) => number | string,
): T | undefined {
  const counts = new Map<T, number>();
  for (const call of calls) counts.set(valueOf(call), (counts.get(valueOf(call)) ?? 0) + call.places);
  const sorted = [...counts].sort(
    ([a, m], [b, n]) => n - m || (order(a) < order(b) ? -1 : Number(order(a) > order(b))),
  );
  return sorted[0]?.[0];
}

/** An entity with the name and type that most sections give it. @param calls  of visible sections, at least one */
export function entityNode(key: string, calls: readonly EntityCall[], sections: number): GraphNode {
  const label = mostCommon(
    calls,
    ({ type }) => type,
    (type) => ENTITY_TYPES.indexOf(type),
  );
  const title = mostCommon(
    calls,
    ({ name }) => name,
    (name) => name,
  );
  return {
    id: nodeId('entity', key),
    label: label ?? 'Concept',
    title: title ?? key,
    level: null,
    tokens: 0,
    docTag: null,
    repository: null,
    anchor: null,
    sections,
    snippet: null,
  };
}
