import type { GraphDifference, StoredEdge, StoredNode } from './compare-graphs.js';
import {
  LABEL_OF,
  LABEL_SETS,
  type NodeLabels,
  type PlannedEdge,
  type PlannedNode,
  WRITTEN_RELATIONS,
  type WrittenRelation,
} from './graph-plan.js';
import { matchNode, seekBy, SETTLED_MS, STATE } from './graph-slot.js';
import type { Neo4jRow } from './neo4j-connection.js';

/** Nodes removed per transaction, with all their relations. */
const REMOVED = 1_000;

export const SCHEMA = [
  'CREATE CONSTRAINT pith_index_key IF NOT EXISTS FOR (i:PithIndex) REQUIRE i.key IS UNIQUE',
  'CREATE CONSTRAINT pith_node_no IF NOT EXISTS FOR (n:Pith) REQUIRE (n.index, n.no) IS UNIQUE',
  'CREATE INDEX pith_node_id IF NOT EXISTS FOR (n:Pith) ON (n.index, n.id)',
];

/** Only the run that began last may write; otherwise two runs would mix their graphs. */
export const BEGIN = `MERGE (i:PithIndex {key: $given.key}) ON CREATE SET i.project = $given.projectId, i.environment = $given.environment
  SET i.filledBy = $given.run, i.batch = 0 RETURN ${STATE}`;
const OURS = 'MATCH (i:PithIndex {key: $given.key, filledBy: $given.run})';
// The first SET takes the lock; another run may have begun while this statement waited for it.
const LOCKED =
  'MATCH (i:PithIndex {key: $given.key}) SET i.key = $given.key WITH i WHERE i.filledBy = $given.run';

/** A batch that is sent again is not written again: its transaction was committed, and the answer was lost. */
export const TAKE_BATCH = `${OURS} WITH i, i.batch AS before SET i.batch = $given.batch RETURN before < $given.batch AS isNew`;
/** Removes some nodes of a slot. */
export const CLEAR = `${OURS} MATCH (n:Pith) ${seekBy('n', 'no')} WHERE n.index = $given.index AND n.no >= 0 WITH n LIMIT ${REMOVED}
  DETACH DELETE n RETURN count(*) AS n`;
/** Makes another slot the live one. */
export const FLIP = `${LOCKED} SET i.live = $given.live, i.generation = $given.generation, i.identity = $given.identity,
  i.indexedAt = $given.indexedAt, i.groups = $given.groups, i.ended = i.begun RETURN count(*) AS n`;

/** Tells readers to wait. */
export const ANNOUNCE = `${LOCKED} SET i.begun = CASE WHEN coalesce(i.begun, 0) < timestamp() THEN timestamp() ELSE i.begun + 1 END
  RETURN count(*) AS n`;
/** The last statement of a change. Fails if readers may soon no longer wait. */
export const ADVANCE = `${LOCKED} AND timestamp() - i.begun < ${SETTLED_MS / 2}
  SET i.generation = $given.generation, i.indexedAt = $given.indexedAt, i.groups = $given.groups RETURN count(*) AS n`;
/** Lets readers read again. */
export const END = `${LOCKED} SET i.ended = i.begun RETURN count(*) AS n`;
/** The run that published the live graph, if no other run has begun. */
export const GENERATION = `${OURS} RETURN i.generation AS generation, i.indexedAt AS indexedAt`;

/** The number of the next node of a slot. */
export const NEXT_NUMBER = `MATCH (n:Pith) ${seekBy('n', 'no')} WHERE n.index = $given.index AND n.no >= 0
  RETURN n.no + 1 AS no ORDER BY n.index DESC, n.no DESC LIMIT 1`;

const kindLabel = (node: string): string =>
  `head([label IN labels(${node}) WHERE label IN ${JSON.stringify(Object.values(LABEL_OF))}])`;
/** The nodes of documents and entities, with the relations that start at each. */
export const STORED = `UNWIND $given.ids AS id ${matchNode('root', 'id', 'id')} WHERE root:Document OR root:Entity
  CALL { WITH root RETURN root AS n
    UNION ALL WITH root MATCH (root)-[:HAS_CHUNK]->(n) RETURN n
    UNION ALL WITH root MATCH (root)-[:HAS_CHUNK]->(:Place)-[:CONTAINS_STEP]->(n) RETURN n }
  RETURN elementId(n) AS element, labels(n) AS labels, properties(n) AS facts, [(n)-[r]->(m) | {
    element: elementId(r), relation: type(r), label: ${kindLabel('m')}, id: m.id, facts: properties(r)}] AS edges`;

/** Parses a row of `STORED`. */
export function storedItems(row: Neo4jRow): { readonly node: StoredNode; readonly edges: StoredEdge[] } {
  // The statement returns these types.
  const node = row as unknown as StoredNode;
  const label = Object.values(LABEL_OF).find((each) => node.labels.includes(each)) ?? 'Place';
  const from = { label, id: node.facts.id };
  const edges = row['edges'] as (StoredEdge['to'] & Pick<StoredEdge, 'element' | 'relation' | 'facts'>)[];
  return {
    node,
    edges: edges.map(({ element, relation, facts, ...to }) => ({ element, relation, from, to, facts })),
  };
}

/** Rows and the statement that writes them; it returns their number as `n`. */
export interface Write {
  readonly cypher: string;
  readonly row: unknown;
}

// Labels and types can't be parameters; both come from fixed lists.
const ALL_LABELS = [...new Set(LABEL_SETS.flatMap((labels) => labels.split(':')))].join(':');
const rows = `${OURS} UNWIND $given.rows AS row`;
const setFacts = (labels: NodeLabels): string =>
  `${rows} MATCH (n) WHERE elementId(n) = row.element REMOVE n:${ALL_LABELS} SET n:${labels} SET n += row.facts RETURN count(*) AS n`;
const addNodes = (labels: NodeLabels): string =>
  `${rows} CREATE (n:Pith:${labels}) SET n = row, n.index = $given.index RETURN count(*) AS n`;
const addEdges = (relation: WrittenRelation): string =>
  `${rows} ${matchNode('a', 'id', 'row.from.id')} ${matchNode('b', 'id', 'row.to.id')}
   WHERE row.from.label IN labels(a) AND row.to.label IN labels(b)
   CREATE (a)-[r:${relation}]->(b) SET r = row.facts RETURN count(*) AS n`;
const SET_FACTS = new Map(LABEL_SETS.map((labels) => [labels, setFacts(labels)]));
const ADD_NODES = new Map(LABEL_SETS.map((labels) => [labels, addNodes(labels)]));
const ADD_EDGES = new Map(WRITTEN_RELATIONS.map((relation) => [relation, addEdges(relation)]));
const EDGE = `${rows} MATCH ()-[r]->() WHERE elementId(r) = row.element`;
const SET_EDGES = `${EDGE} SET r += row.facts RETURN count(*) AS n`;
const REMOVE_EDGES = `${EDGE} DELETE r RETURN count(*) AS n`;
const REMOVE_NODES = `${rows} MATCH (n) WHERE elementId(n) = row.element DETACH DELETE n RETURN count(*) AS n`;

/** Writes new nodes. @param no  number of the first one */
export function* nodeWrites(nodes: Iterable<PlannedNode>, no: number): Generator<Write> {
  let next = no;
  for (const { labels, facts } of nodes)
    yield { cypher: ADD_NODES.get(labels) ?? '', row: { ...facts, no: next++ } };
}

/** Writes new relations, whose nodes exist. */
export function* edgeWrites(edges: Iterable<PlannedEdge>): Generator<Write> {
  for (const { relation, ...row } of edges) yield { cypher: ADD_EDGES.get(relation) ?? '', row };
}

/** Writes differences. @param no  number of the first new node */
export function* differenceWrites(all: readonly GraphDifference[], no: number): Generator<Write> {
  for (const element of all.flatMap(({ goneEdges }) => goneEdges))
    yield { cypher: REMOVE_EDGES, row: { element } };
  for (const element of all.flatMap(({ goneNodes }) => goneNodes))
    yield { cypher: REMOVE_NODES, row: { element } };
  yield* nodeWrites(
    all.flatMap(({ newNodes }) => newNodes),
    no,
  );
  for (const { labels, ...row } of all.flatMap(({ changedNodes }) => changedNodes))
    yield { cypher: SET_FACTS.get(labels) ?? '', row };
  for (const row of all.flatMap(({ changedEdges }) => changedEdges)) yield { cypher: SET_EDGES, row };
  yield* edgeWrites(all.flatMap(({ newEdges }) => newEdges));
}
