import { randomUUID } from 'node:crypto';
import { rowsByKey } from '../../core/collections/group-rows.js';
import { BackendUnavailableError, DeadlineExceededError } from '../../core/errors.js';
import { nodeId } from '../../core/node-id.js';
import type { IndexStamp } from '../../core/ports/index-facts.js';
import {
  type BuiltGraph,
  type BuiltIndex,
  type GraphPart,
  IndexMirror,
  type MirrorProgress,
  NOTHING_TO_SHOW,
  type PublishedRun,
  type ShowFilled,
} from '../../ingest/built-index.js';
import { indexingLimits } from '../backend.js';
import { compareGraphs, type GraphDifference } from './compare-graphs.js';
import { plannedEdges, plannedNodes } from './graph-plan.js';
import {
  GRAPH_IDENTITY,
  graphKey,
  LIVE_GRAPH,
  type LiveGraph,
  otherSlot,
  readLiveGraph,
  slotName,
} from './graph-slot.js';
import {
  ADVANCE,
  ANNOUNCE,
  BEGIN,
  CLEAR,
  differenceWrites,
  edgeWrites,
  END,
  FLIP,
  GENERATION,
  NEXT_NUMBER,
  nodeWrites,
  SCHEMA,
  STORED,
  storedItems,
  TAKE_BATCH,
  type Write,
} from './graph-writes.js';
import { Neo4jConnection, type Neo4jOptions, type RunCypher } from './neo4j-connection.js';

/** Nodes or relations per transaction of a whole graph; more are not faster and use more server memory. */
const BATCH = 2_000;
/** Documents and entities compared per request. */
const COMPARED = 50;
/** Items changed in one transaction, in the memory of the server. With more, the whole graph is written beside the live one. */
const MAX_CHANGED = 20_000;
/** A change that fails so often may need more memory or time than Neo4j has for one transaction. */
const TRIES = 2;

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

/**
 * Keeps the graph in Neo4j equal to that of an index. What changed since the stored generation is changed in place, in one
 * transaction. A graph of unknown origin, or with too many changes, is written as a whole next to the live one.
 */
export class Neo4jMirror extends IndexMirror {
  readonly engine = 'neo4j';
  private readonly neo4j: Neo4jConnection;

  constructor(options: Neo4jOptions) {
    super();
    const { concurrency, ...limits } = indexingLimits(options);
    // A change is announced while its transaction is open.
    this.neo4j = new Neo4jConnection({ ...options, ...limits, concurrency: Math.max(2, concurrency) });
  }

  async begin(): Promise<void> {
    await this.neo4j.write((run) => Promise.all(SCHEMA.map((statement) => run(statement, {}))));
    await this.neo4j.write((run) => run('CALL db.awaitIndexes(60)', {}));
  }

  async fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled> {
    const { projectId, environment, groups = [] } = built.stamp;
    const key = graphKey({ projectId, environment });
    const isSame = (live: LiveGraph | null): boolean =>
      isRun(live, built.stamp) && live?.identity === GRAPH_IDENTITY;
    const before = readLiveGraph(await this.neo4j.read((run) => run(LIVE_GRAPH, { key })));
    if (before?.hasEnded && isSame(before)) return NOTHING_TO_SHOW;
    await this.begin();
    const run = randomUUID();
    // From here on, no other run can change the live graph.
    const begin = { key, run, projectId, environment };
    const live = readLiveGraph(await this.neo4j.write((cypher) => cypher(BEGIN, begin)));
    const filling = (slot: LiveGraph['slot']): Filling => ({ key, run, index: slotName(key, slot) });
    if (live && isSame(live)) return () => this.end(filling(live.slot));
    const idle = otherSlot(live?.slot ?? null);
    await this.clear(filling(idle));
    const differences = live && (await this.differences(filling(live.slot), live, built.graph));
    const replace = async (): Promise<ShowFilled> => {
      await this.write(filling(idle), built.graph, onProgress);
      return async () => {
        const facts = { ...built.stamp, groups, live: idle, identity: GRAPH_IDENTITY };
        if ((await this.change(FLIP, { ...filling(idle), ...facts })) !== 1) throw graphBusy();
        if (live) await this.clear(filling(live.slot));
      };
    };
    if (!differences) return replace();
    return async () => {
      const done = await this.apply(filling(live.slot), differences, { ...built.stamp, groups });
      if (done === null) return (await replace())();
      onProgress({ engine: this.engine, done, total: done });
    };
  }

  private async change(cypher: string, values: object): Promise<number> {
    const [row] = await this.neo4j.write((run) => run(cypher, { ...values }));
    return Number(row?.['n'] ?? 0);
  }

  private async clear(filling: Filling): Promise<void> {
    while ((await this.change(CLEAR, filling)) > 0);
  }

  private async end(filling: Filling): Promise<void> {
    if ((await this.change(END, filling)) !== 1) throw graphBusy();
  }

  /** Compares what may have changed, some of it at a time; null if it is unknown or too much. */
  private async differences(
    { index }: Filling,
    live: LiveGraph,
    graph: BuiltGraph,
  ): Promise<GraphDifference[] | null> {
    const changed = live.identity === GRAPH_IDENTITY ? graph.changedSince(live) : null;
    if (!changed || changed.documents.length + changed.entities.length > MAX_CHANGED) return null;
    const differences: GraphDifference[] = [];
    let size = 0;
    for (const part of smallParts(changed)) {
      const difference = await this.difference(index, part, changed.graph(part));
      for (const { length } of Object.values(difference)) size += length;
      if (size > MAX_CHANGED) return null;
      differences.push(difference);
    }
    return differences;
  }

  private async difference(
    index: string,
    { documents, entities }: GraphPart,
    graph: BuiltGraph,
  ): Promise<GraphDifference> {
    const ids = [
      ...documents.map((path) => nodeId('document', path)),
      ...entities.map((key) => nodeId('entity', key)),
    ];
    // In a cluster, reads may go to a server that lags behind.
    const rows = await this.neo4j.write((run) => run(STORED, { index, ids }));
    const found = rows.map(storedItems);
    const stored = { nodes: found.map(({ node }) => node), edges: found.flatMap(({ edges }) => edges) };
    return compareGraphs({ nodes: plannedNodes(graph), edges: plannedEdges(graph) }, stored);
  }

  /** Changes the live graph. @returns number of items; null if it is unchanged and has to be replaced */
  private async apply(
    filling: Filling,
    differences: readonly GraphDifference[],
    published: PublishedRun & Required<Pick<IndexStamp, 'groups'>>,
  ): Promise<number | null> {
    let tries = 0;
    const change = async (run: RunCypher): Promise<number> => {
      const [live] = await run(GENERATION, { ...filling });
      if (!live) throw graphBusy();
      // The transaction was committed, and the answer was lost.
      if (isRun(live, published)) return 0;
      if (++tries > TRIES) throw new NotApplicable();
      const [next] = await run(NEXT_NUMBER, { ...filling });
      const writes = [...differenceWrites(differences, Number(next?.['no'] ?? 0))];
      for (const statement of rowsByKey(writes, ({ cypher }) => cypher))
        if (!(await this.runAll(run, filling, [statement]))) throw new NotApplicable();
      // Nothing of this is visible before the commit, so readers wait only for that.
      if ((await this.change(ANNOUNCE, filling)) !== 1) throw graphBusy();
      const [advanced] = await run(ADVANCE, { ...filling, ...published });
      // Another run has begun, or readers may soon no longer wait: the next try finds out.
      if (advanced?.['n'] !== 1) throw new Late();
      return writes.length;
    };
    // Only a late change is made again here; the connection repeats those that fail.
    const changed = (): Promise<number> =>
      this.neo4j.write(change).catch((error: unknown) => {
        if (error instanceof Late) return changed();
        throw error;
      });
    let done: number;
    try {
      done = await changed();
    } catch (error) {
      if (error instanceof NotApplicable || error instanceof DeadlineExceededError) return null;
      throw error;
    }
    await this.end(filling);
    return done;
  }

  private async write(
    filling: Filling,
    graph: BuiltGraph,
    onProgress: (progress: MirrorProgress) => void,
  ): Promise<void> {
    let [done, batches] = [0, 0];
    const { size } = graph;
    const add = async (writes: readonly Write[]): Promise<void> => {
      const values = { ...filling, batch: ++batches };
      const statements = [...rowsByKey(writes, ({ cypher }) => cypher)];
      const isWhole = await this.neo4j.write(async (run) => {
        const [taken] = await run(TAKE_BATCH, values);
        return taken?.['isNew'] === false || this.runAll(run, filling, statements);
      });
      if (!isWhole) throw graphBusy();
      done += writes.length;
      onProgress({ engine: this.engine, done, total: Math.max(done, size) });
    };
    await inBatches(nodeWrites(plannedNodes(graph), 0), add);
    await inBatches(edgeWrites(plannedEdges(graph)), add);
    // The size was an upper bound.
    onProgress({ engine: this.engine, done, total: done });
  }

  /** Runs statements, each with all its rows. @returns true if each has written all of them */
  private async runAll(
    run: RunCypher,
    filling: Filling,
    statements: readonly (readonly [cypher: string, writes: readonly Write[]])[],
  ): Promise<boolean> {
    const written = await Promise.all(
      statements.map(([cypher, writes]) => run(cypher, { ...filling, rows: writes.map(({ row }) => row) })),
    );
    return statements.every(([, writes], i) => written[i]?.[0]?.['n'] === writes.length);
  }

  async close(): Promise<void> {
    await this.neo4j.close();
  }
}

/** The stored graph is not what this version wrote, or Neo4j can't change so much at once. */
class NotApplicable extends Error {}

/** A change was not made soon enough after its announcement. */
class Late extends Error {}

/** True if a graph is that of a run. The copy of an index file that was restored gives the same numbers again. */
const isRun = (
  live: { readonly [name in keyof PublishedRun]?: unknown } | null,
  run: PublishedRun,
): boolean => live?.generation === run.generation && live.indexedAt === run.indexedAt;

function* smallParts({ documents, entities }: GraphPart): Generator<GraphPart> {
  for (let from = 0; from < documents.length; from += COMPARED)
    yield { documents: documents.slice(from, from + COMPARED), entities: [] };
  for (let from = 0; from < entities.length; from += COMPARED)
    yield { documents: [], entities: entities.slice(from, from + COMPARED) };
}

async function inBatches(
  writes: Iterable<Write>,
  add: (batch: readonly Write[]) => Promise<void>,
): Promise<void> {
  let batch: Write[] = [];
  for (const write of writes) {
    batch.push(write);
    if (batch.length < BATCH) continue;
    await add(batch);
    batch = [];
  }
  if (batch.length > 0) await add(batch);
}
