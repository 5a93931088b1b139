import { createHash } from 'node:crypto';
import { SECTIONING_VERSION } from '../../ingest/sectioning-version.js';
import { ANALYSER_VERSION } from '../../text/search-terms.js';
import type { Neo4jRow } from './neo4j-connection.js';

/** Bump when nodes, relations or what is on them change. */
const GRAPH_VERSION = 1;

/** What a graph was made with; of another one nothing can be read. */
export const GRAPH_IDENTITY = JSON.stringify({
  graph: GRAPH_VERSION,
  sectioning: SECTIONING_VERSION,
  tokenizer: ANALYSER_VERSION,
});

/** Whose graph it is. */
export interface GraphOwner {
  readonly projectId: string;
  readonly environment: string;
}

/** A graph is in one of two, and the next one is written into the other. */
export type Slot = 'a' | 'b';

/** Of the node that says which slot is live; names may be any text, hashes are short and never the same. */
export function graphKey({ projectId, environment }: GraphOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([projectId, environment]))
    .digest('hex')
    .slice(0, 32);
}

/** What all nodes of a slot carry as `index`. */
export const slotName = (key: string, slot: Slot): string => `${key}${slot}`;

/** The slot that is written while the other one is live; the first where none is. */
export const otherSlot = (slot: Slot | null): Slot => (slot === 'a' ? 'b' : 'a');

/** What is known of the graph that is live. */
export interface LiveGraph {
  readonly generation: string;
  readonly identity: string;
  readonly slot: Slot;
}

/** Asks which graph of `$given.key` is live. */
export const LIVE_GRAPH = `MATCH (i:PithIndex {key: $given.key}) WHERE i.live IS NOT NULL
  RETURN i.generation AS generation, i.identity AS identity, i.live AS live`;

/** A slot as it is written; null for anything else. */
export function readSlot(value: unknown): Slot | null {
  return value === 'a' || value === 'b' ? value : null;
}

/** What the answer to `LIVE_GRAPH` says; null where nothing was published yet. */
export function readLiveGraph([row]: readonly Neo4jRow[]): LiveGraph | null {
  const slot = readSlot(row?.['live']);
  if (!row || !slot) return null;
  return { generation: String(row['generation']), identity: String(row['identity']), slot };
}

/** Makes a statement find nodes by an index: a plan that was made while there were few may go through all of them. */
export const seekBy = (name: string, by: 'no' | 'id'): string =>
  `USING INDEX SEEK ${name}:Pith(index, ${by})`;

/** Finds the node of the slot `$given.index` with a number or id. */
export const matchNode = (name: string, by: 'no' | 'id', value: string): string =>
  `MATCH (${name}:Pith {index: $given.index, ${by}: ${value}}) ${seekBy(name, by)}`;
