import { createHash } from 'node:crypto';
import type { IndexStamp } from '../../core/ports/index-facts.js';
import { TEXT_VERSIONS } from '../../sqlite/schema.js';
import type { Neo4jRow } from './neo4j-connection.js';

/** Increase it when nodes, relations or their properties change. */
const GRAPH_VERSION = 1;

/** The versions that a graph was built with; graphs with another identity can't be read. */
export const GRAPH_IDENTITY = JSON.stringify({ graph: GRAPH_VERSION, ...TEXT_VERSIONS });

/** The project and environment of a graph. */
export type GraphOwner = Pick<IndexStamp, 'projectId' | 'environment'>;

/** The live graph is in one slot; the next one is written into the other. */
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

/** The live graph's slot and versions. */
export interface LiveGraph {
  readonly generation: string;
  readonly identity: string;
  readonly slot: GraphSlot;
}

/** Statement that returns the live graph of `$given.key`. */
export const LIVE_GRAPH = `MATCH (i:PithIndex {key: $given.key}) WHERE i.live IS NOT NULL
  RETURN i.generation AS generation, i.identity AS identity, i.live AS live`;

/** Parses a stored slot; null for anything else. */
export function readSlot(value: unknown): GraphSlot | null {
  return value === 'a' || value === 'b' ? value : null;
}

/** Parses the answer to `LIVE_GRAPH`; null if nothing was published yet. */
export function readLiveGraph([row]: readonly Neo4jRow[]): LiveGraph | null {
  const slot = readSlot(row?.['live']);
  if (!row || !slot) return null;
  return { generation: String(row['generation']), identity: String(row['identity']), slot };
}

/** Forces an index seek: a plan made while there were few nodes may scan all of them. */
export const seekBy = (name: string, by: 'no' | 'id'): string =>
  `USING INDEX SEEK ${name}:Pith(index, ${by})`;

/** Matches the node with a number or id in slot `$given.index`. */
export const matchNode = (name: string, by: 'no' | 'id', value: string): string =>
  `MATCH (${name}:Pith {index: $given.index, ${by}: ${value}}) ${seekBy(name, by)}`;
