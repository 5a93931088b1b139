import { randomUUID } from 'node:crypto';
import { BackendUnavailableError } from '../../core/errors.js';
import { RELATIONS } from '../../core/graph-model.js';
import {
  type BuiltIndex,
  type BuiltPlace,
  IndexMirror,
  type MirrorProgress,
  NOTHING_TO_SHOW,
  type ShowFilled,
} from '../../ingest/built-index.js';
import { rowsTogether } from '../../sqlite/group-rows.js';
import { indexingLimits } from '../backend.js';
import { type Facts, GraphPlan, LABEL_SETS, linkEdges, type LinkEnd, type NodeLabels } from './graph-plan.js';
import {
  GRAPH_IDENTITY,
  graphKey,
  type GraphSlot,
  LIVE_GRAPH,
  type LiveGraph,
  matchNode,
  otherSlot,
  readLiveGraph,
  readSlot,
  seekBy,
  slotName,
} from './graph-slot.js';
import { mentionedEntities } from './mentioned-entities.js';
import { Neo4jConnection, type Neo4jOptions } from './neo4j-connection.js';

/** Internal relation from a title to its document or place. */
const OWNED_BY = 'OWNED_BY';
/** All relations stored in Neo4j. */
const WRITTEN_RELATIONS = [...RELATIONS, OWNED_BY] as const;
/** A relation stored in Neo4j. */
type WrittenRelation = (typeof WRITTEN_RELATIONS)[number];

interface PlannedEdge {
  readonly relation: WrittenRelation;
  readonly from: number;
  readonly to: number;
  readonly facts: Facts;
}

const NOWHERE = -1;
const STRUCTURE: Facts = { weight: 1 };

/** All edges of a graph. @param plan  its `nodes` have been iterated, so that all numbers are known */
function* graphEdges(plan: GraphPlan): Generator<PlannedEdge> {
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

/** Nodes or relations per transaction; more are not faster and use more server memory. */
const BATCH = 2_000;
/** Nodes removed per transaction, with all their relations. */
const REMOVED = 1_000;

const SCHEMA = [
  'CREATE CONSTRAINT pith_index_key IF NOT EXISTS FOR (i:PithIndex) REQUIRE i.key IS UNIQUE',
  'CREATE CONSTRAINT pith_node_no IF NOT EXISTS FOR (n:Pith) REQUIRE (n.index, n.no) IS UNIQUE',
  'CREATE INDEX pith_node_id IF NOT EXISTS FOR (n:Pith) ON (n.index, n.id)',
];
/** Only the run that began last may write; otherwise two runs would mix their graphs. */
const BEGIN = `MERGE (i:PithIndex {key: $given.key}) ON CREATE SET i.project = $given.projectId, i.environment = $given.environment
  SET i.filledBy = $given.run, i.batch = 0 RETURN i.live AS live`;
const OURS = 'MATCH (i:PithIndex {key: $given.key, filledBy: $given.run})';
/** A batch that is sent again is not written again: its transaction was committed, and the answer was lost. */
const TAKE_BATCH = `${OURS} WITH i, i.batch AS before SET i.batch = $given.batch RETURN before < $given.batch AS isNew`;
const CLEAR = `${OURS} MATCH (n:Pith) ${seekBy('n', 'no')} WHERE n.index = $given.index AND n.no >= 0 WITH n LIMIT ${REMOVED}
  DETACH DELETE n RETURN count(*) AS n`;
// The first SET takes the lock; another run may have begun while this statement waited for it.
const FLIP = `MATCH (i:PithIndex {key: $given.key}) SET i.key = $given.key WITH i WHERE i.filledBy = $given.run
  SET i.live = $given.live, i.generation = $given.generation, i.identity = $given.identity, i.indexedAt = $given.indexedAt
  RETURN count(*) AS n`;

// Labels and types can't be parameters; both come from fixed lists.
const addNodes = (labels: NodeLabels): string =>
  `${OURS} UNWIND $given.rows AS row CREATE (n:Pith:${labels}) SET n = row, n.index = $given.index RETURN count(*) AS n`;
const addEdges = (relation: WrittenRelation): string =>
  `${OURS} UNWIND $given.rows AS row ${matchNode('a', 'no', 'row.from')} ${matchNode('b', 'no', 'row.to')}
   CREATE (a)-[r:${relation}]->(b) SET r = row.facts RETURN count(*) AS n`;
const ADD_NODES = new Map(LABEL_SETS.map((labels) => [labels, addNodes(labels)]));
const ADD_EDGES = new Map(WRITTEN_RELATIONS.map((relation) => [relation, addEdges(relation)]));

interface Filling {
  readonly key: string;
  readonly run: string;
  readonly index: string;
}

function graphBusy(): BackendUnavailableError {
  return new BackendUnavailableError('Another process is writing this graph in Neo4j.', {
    reason: 'index_busy',
    hint: 'Wait until the other `pith index` has finished, then run this one again.',
  });
}

/** Writes the complete graph of an index to Neo4j, next to the live graph, and then replaces it. */
export class Neo4jMirror extends IndexMirror {
  readonly engine = 'neo4j';
  private readonly neo4j: Neo4jConnection;

  constructor(options: Neo4jOptions) {
    super();
    this.neo4j = new Neo4jConnection({ ...options, ...indexingLimits(options) });
  }

  async check(): Promise<void> {
    await this.neo4j.write((run) => Promise.all(SCHEMA.map((statement) => run(statement, {}))));
    await this.neo4j.write((run) => run('CALL db.awaitIndexes(60)', {}));
  }

  async fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled> {
    const { generation, projectId, environment, indexedAt } = built.stamp;
    const key = graphKey({ projectId, environment });
    const before = await this.liveGraph(key);
    if (before?.generation === generation && before.identity === GRAPH_IDENTITY) return NOTHING_TO_SHOW;
    await this.check();
    const run = randomUUID();
    // From here on, no other run can change the live slot.
    const live = await this.begin({ key, run, projectId, environment });
    const slot = otherSlot(live);
    const filling = { key, run, index: slotName(key, slot) };
    await this.clear(filling);
    await this.write(filling, built, onProgress);
    return async () => {
      const facts = { live: slot, generation, indexedAt, identity: GRAPH_IDENTITY };
      if ((await this.change(FLIP, { ...filling, ...facts })) !== 1) throw graphBusy();
      if (live) await this.clear({ ...filling, index: slotName(key, live) });
    };
  }

  /** Registers this run as the only writer. @returns the live slot */
  private async begin(values: Readonly<Record<string, string>>): Promise<GraphSlot | null> {
    const [row] = await this.neo4j.write((run) => run(BEGIN, values));
    return readSlot(row?.['live']);
  }

  private async liveGraph(key: string): Promise<LiveGraph | null> {
    return readLiveGraph(await this.neo4j.read((run) => run(LIVE_GRAPH, { key })));
  }

  private async change(cypher: string, values: Readonly<Record<string, unknown>>): Promise<number> {
    const [row] = await this.neo4j.write((run) => run(cypher, values));
    return Number(row?.['n'] ?? 0);
  }

  private async clear(filling: Filling): Promise<void> {
    while ((await this.change(CLEAR, { ...filling })) > 0);
  }

  private async write(
    filling: Filling,
    { graph }: BuiltIndex,
    onProgress: (progress: MirrorProgress) => void,
  ): Promise<void> {
    let [done, batches] = [0, 0];
    const add = async (batch: Batch): Promise<void> => {
      done += await this.add({ ...filling, batch: ++batches }, batch);
      onProgress({ engine: this.engine, done, total: Math.max(done, graph.size) });
    };
    const plan = new GraphPlan(graph);
    await inBatches(plan.nodes(), ({ labels, facts }) => [ADD_NODES.get(labels) ?? '', facts], add);
    await inBatches(graphEdges(plan), ({ relation, ...edge }) => [ADD_EDGES.get(relation) ?? '', edge], add);
    // The size was an upper bound.
    onProgress({ engine: this.engine, done, total: done });
  }

  private async add(filling: Filling & { readonly batch: number }, batch: Batch): Promise<number> {
    const statements = [...batch];
    const added = await this.neo4j.write(async (run) => {
      const [taken] = await run(TAKE_BATCH, { ...filling });
      if (taken?.['isNew'] === false) return null;
      return Promise.all(statements.map(([cypher, rows]) => run(cypher, { ...filling, rows })));
    });
    const isWhole = statements.every(([, rows], i) => added === null || added[i]?.[0]?.['n'] === rows.length);
    if (!isWhole) throw graphBusy();
    return statements.reduce((sum, [, rows]) => sum + rows.length, 0);
  }

  async close(): Promise<void> {
    await this.neo4j.close();
  }
}

/** Rows, by the statement that adds them. */
type Batch = ReadonlyMap<string, readonly unknown[]>;

async function inBatches<T>(
  items: Iterable<T>,
  rowOf: (item: T) => readonly [cypher: string, row: unknown],
  add: (batch: Batch) => Promise<void>,
): Promise<void> {
  let batch = new Map<string, unknown[]>();
  let waiting = 0;
  for (const item of items) {
    const [cypher, row] = rowOf(item);
    const rows = batch.get(cypher);
    if (rows) rows.push(row);
    else batch.set(cypher, [row]);
    if (++waiting < BATCH) continue;
    await add(batch);
    batch = new Map();
    waiting = 0;
  }
  if (waiting > 0) await add(batch);
}
