import { createHash } from 'node:crypto';
import type { IndexStamp } from '../../core/ports/index-facts.js';
import { TEXT_VERSIONS } from '../../sqlite/schema.js';
import type { Neo4jRow } from './neo4j-connection.js';

/** Increase it when nodes, relations or their properties change. */
const GRAPH_VERSION = 2;

/** The versions that a graph was built with; graphs with another identity can't be read. */
export const GRAPH_IDENTITY = JSON.stringify({ graph: GRAPH_VERSION, ...TEXT_VERSIONS });

/** The project and environment of a graph. */
export type GraphOwner = Pick<IndexStamp, 'projectId' | 'environment'>;

/** The live graph is in one slot; a graph that is written as a whole goes into the other one. */
export type GraphSlot = 'a' | 'b';

/** Key of the node that stores the live slot: a hash, which is short and unique for any names. */
export function graphKey({ projectId, environment }: GraphOwner): string {
  const names = JSON.stringify([projectId, environment]);
  return createHash('sha256').update(names).digest('hex').slice(0, 32);
}

/** The `index` property of all nodes in a slot. */
export const slotName = (key: string, slot: GraphSlot): string => `${key}${slot}`;

/** The slot to write while `slot` is live; `a` if none is. */
export const otherSlot = (slot: GraphSlot | null): GraphSlot => (slot === 'a' ? 'b' : 'a');

/** The live graph's slot, versions and changes. */
export interface LiveGraph {
  readonly generation: string;
  readonly indexedAt: string;
  readonly identity: string;
  readonly slot: GraphSlot;
  /** The lists of groups (`listsKey`) of its documents; absent if everybody may see all of them. */
  readonly groups?: readonly string[];
  /** The change of the live slot that was announced last; 0 for none. */
  readonly begun: number;
  /** False while this change may be in progress. */
  readonly isSettled: boolean;
  /** True if the run that announced it has reported its end. */
  readonly hasEnded: boolean;
}

/**
 * A change of the live slot is one transaction, but Neo4j shows readers its items one after the other. So a change is
 * announced before that transaction and ended after it, and nobody reads in between. If the writer was killed, the
 * transaction has been committed or not after this time (ms).
 */
export const SETTLED_MS = 10_000;

/** The state of a stored index `i`. */
export const STATE = `i.generation AS generation, i.indexedAt AS indexedAt, i.identity AS identity, i.live AS live,
  i.groups AS groups, coalesce(i.begun, 0) AS begun, coalesce(i.begun, 0) = coalesce(i.ended, 0) AS hasEnded,
  coalesce(i.begun, 0) = coalesce(i.ended, 0) OR timestamp() - i.begun > ${SETTLED_MS} AS isSettled`;

/** Statement that returns the live graph of `$given.key`. */
export const LIVE_GRAPH = `MATCH (i:PithIndex {key: $given.key}) WHERE i.live IS NOT NULL RETURN ${STATE}`;

/** Parses a row with `STATE`; null if nothing was published yet. */
export function readLiveGraph([row]: readonly Neo4jRow[]): LiveGraph | null {
  const slot = row?.['live'];
  if (!row || (slot !== 'a' && slot !== 'b')) return null;
  // Only lists of texts are written.
  const groups = (row['groups'] ?? []) as string[];
  return {
    generation: String(row['generation']),
    indexedAt: String(row['indexedAt']),
    identity: String(row['identity']),
    slot,
    ...(groups.length > 0 ? { groups } : {}),
    begun: Number(row['begun']),
    isSettled: row['isSettled'] === true,
    hasEnded: row['hasEnded'] === true,
  };
}

/** Forces an index seek: a plan made while there were few nodes may scan all of them. */
export const seekBy = (name: string, by: 'no' | 'id'): string =>
  `USING INDEX SEEK ${name}:Pith(index, ${by})`;

/** Matches the node with a number or id in slot `$given.index`. */
export const matchNode = (name: string, by: 'no' | 'id', value: string): string =>
  `MATCH (${name}:Pith {index: $given.index, ${by}: ${value}}) ${seekBy(name, by)}`;
