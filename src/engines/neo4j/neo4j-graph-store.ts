import { setTimeout } from 'node:timers/promises';
import { BackendUnavailableError } from '../../core/errors.js';
import { RELATIONS } from '../../core/graph-model.js';
import type { NodeKind } from '../../core/node-id.js';
import {
  type Bridge,
  type Bridges,
  type DescribedNodes,
  type Expansion,
  type GraphPage,
  type GraphQuery,
  GraphStore,
  type Subgraph,
} from '../../core/ports/graph-store.port.js';
import type { Scope } from '../../core/scope.js';
import { indexChanged } from '../../graph/index-changed.js';
import { MAX_MENTIONED_BY } from '../../graph/title-concepts.js';
import { pageOfWalk } from '../../graph/walk-graph.js';
import {
  GRAPH_IDENTITY,
  graphKey,
  type GraphOwner,
  LIVE_GRAPH,
  type LiveGraph,
  matchNode,
  readLiveGraph,
  slotName,
} from './graph-slot.js';
import { Neo4jConnection, type Neo4jOptions, type RunCypher } from './neo4j-connection.js';
import { Neo4jNodes } from './neo4j-nodes.js';
import { Neo4jWalker } from './neo4j-walker.js';
import { VisibleNodes } from './visible-nodes.js';

/** Reads from Neo4j in one transaction. */
type PlannedReading = (run: RunCypher) => Promise<unknown>;

const KINDS: readonly NodeKind[] = ['document', 'place', 'step', 'entity'];
/** A slot without nodes. */
const NOWHERE = '';
const NO_ID = 'none';

/** Everything that is read for questions, about nodes that don't exist. */
function allReadings(owner: GraphOwner, docTags: readonly string[] | null): PlannedReading[] {
  const scope = { ...owner, docTags, repositories: null };
  const visible = new VisibleNodes(scope, NOWHERE);
  const nodes = (run: RunCypher) => new Neo4jNodes(run, scope, visible, false);
  const around = { scope, seeds: [], relations: RELATIONS, direction: 'both' } as const;
  const walk = (kind: NodeKind) => (run: RunCypher) => {
    const walker = new Neo4jWalker(run, { ...around, maxHops: 1, fanOut: 1, limit: 1 }, visible);
    return walker.walk([walker.meet(NO_ID, { kind, no: -1 })]);
  };
  return [
    (run) => run(LIVE_GRAPH, { key: NOWHERE }),
    (run) => nodes(run).find([NO_ID]),
    (run) => nodes(run).at([{ kind: 'document', no: -1 }]),
    (run) => findBridges(run, visible, [NO_ID]),
    ...KINDS.map(walk),
  ];
}

/**
 * Lets Neo4j plan all statements: those for everything, and those within doc tags or repositories. Planning takes longer
 * than running, and a plan is lost if its transaction ends first, so each reading has its own.
 * @param read  runs one read transaction
 */
export async function preparePlans(
  owner: GraphOwner,
  read: (reading: PlannedReading) => Promise<unknown>,
): Promise<void> {
  for (const docTags of [null, []]) for (const reading of allReadings(owner, docTags)) await read(reading);
}

/** Sorts by UTF-8 bytes, the order of the index file. */
const inOrder = (a: Bridge, b: Bridge): number =>
  Buffer.compare(Buffer.from(a.source), Buffer.from(b.source)) ||
  Buffer.compare(Buffer.from(a.target), Buffer.from(b.target));

/** Finds pairs of visible sections of different documents where one section mentions a title above the other. */
export async function findBridges(
  run: RunCypher,
  visible: VisibleNodes,
  sectionIds: readonly string[],
): Promise<Bridge[]> {
  const values = { ...visible.values, ids: [...new Set(sectionIds)], most: MAX_MENTIONED_BY };
  const own = `UNWIND $given.ids AS id ${matchNode('s', 'id', 'id')} WHERE s:Section AND ${visible.of('s')}`;
  const [sections, named] = await Promise.all([
    run(`${own} RETURN s.id AS id, s.no AS no, s.path AS path`, values),
    run(
      `${own} MATCH (s)-[r:MENTIONS]->(e:Entity) WHERE e.mentionedBy <= $given.most AND r.weight > r.own
       MATCH (e)-[:OWNED_BY]->(o) WHERE ${visible.of('o')} AND o.path <> s.path
       RETURN DISTINCT s.id AS source, o.path AS path, CASE WHEN o:Place THEN o.no END AS no`,
      values,
    ),
  ]);
  const bridges = new Map<string, Bridge>();
  for (const { source, path, no } of named) {
    for (const section of sections) {
      // A document's title applies to all its sections.
      if (section['path'] !== path || (no !== null && section['no'] !== no)) continue;
      const bridge = { source: String(source), target: String(section['id']) };
      bridges.set(JSON.stringify(bridge), bridge);
    }
  }
  return [...bridges.values()].sort(inOrder);
}

/** Attempts to read one generation while graphs are being published. */
const MAX_TRIES = 3;
/** Time between attempts while the graph is being changed, which usually takes milliseconds. */
const UNSETTLED_WAIT_MS = 20;

/** A read transaction on one generation. */
interface Reading {
  readonly run: RunCypher;
  readonly visible: VisibleNodes;
}

/** The graph in Neo4j. */
export class Neo4jGraphStore extends GraphStore {
  private readonly neo4j: Neo4jConnection;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly key: string;
  private isClosing = false;

  constructor(
    options: Neo4jOptions,
    private readonly owner: GraphOwner,
    /** The generation of the sections: a graph of another one may lack groups of documents. */
    private readonly current?: () => Promise<string>,
  ) {
    super();
    this.neo4j = new Neo4jConnection(options);
    this.key = graphKey(owner);
  }

  /** Lets Neo4j plan all statements, so that the first questions don't wait for it. Ends at the first failure. */
  async prepare(): Promise<void> {
    await preparePlans(this.owner, (reading) => {
      if (this.isClosing) throw new Error('The graph is closed.');
      return this.counted(this.neo4j.read(reading));
    });
  }

  describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes> {
    return this.reading(scope, async ({ run, visible }) => {
      const found = await new Neo4jNodes(run, scope, visible, withSnippet).find(ids);
      return { nodes: found.map((each) => each?.node ?? null) };
    });
  }

  walk(query: GraphQuery): Promise<Subgraph> {
    return this.reading(query.scope, async (reading) => (await this.walked(reading, query, false)).walk);
  }

  expand(query: GraphQuery, page: GraphPage): Promise<Expansion> {
    return this.reading(query.scope, async (reading) => {
      const { walk, walker, nodes, seeds } = await this.walked(reading, query, page.withSnippet);
      const { listed, edges, total } = pageOfWalk(walk, page);
      const ends = edges.flatMap(({ source, target }) => [source, target]);
      const ids = new Set([...listed.map(({ id }) => id), ...ends]);
      const numbers = [...ids].flatMap((id) => walker.numberOf(id) ?? []);
      return { seeds, listed, edges, nodes: await nodes.at(numbers), total, isCut: walk.isCut };
    });
  }

  bridges(scope: Scope, sectionIds: readonly string[]): Promise<Bridges> {
    return this.reading(scope, async ({ run, visible }) => {
      return { bridges: await findBridges(run, visible, sectionIds) };
    });
  }

  private async walked({ run, visible }: Reading, query: GraphQuery, withSnippet: boolean) {
    const nodes = new Neo4jNodes(run, query.scope, visible, withSnippet);
    const walker = new Neo4jWalker(run, query, visible);
    const found = await nodes.find(query.seeds);
    const ids = found.flatMap((seed) => (seed ? walker.meet(seed.node.id, seed.number) : []));
    const walk = await walker.walk([...new Set(ids)]);
    return { walk, walker, nodes, seeds: found.map((seed) => seed?.node ?? null) };
  }

  /** Reads from the live slot, and repeats the read if the graph was changed meanwhile. */
  private async reading<T extends object>(
    scope: Scope,
    read: (reading: Reading) => Promise<T>,
  ): Promise<T & { readonly generation: string }> {
    const { projectId, environment } = this.owner;
    if (scope.projectId !== projectId || scope.environment !== environment)
      throw graphIncompatible('it holds another project or environment');
    const wanted = scope.groups ? ((await this.current?.()) ?? null) : null;
    for (let tries = 0; tries < MAX_TRIES;) {
      const answer = await this.counted(
        this.neo4j.read(async (run) => {
          const live = checked(readLiveGraph(await run(LIVE_GRAPH, { key: this.key })));
          if (!live.isSettled) return 'unsettled' as const;
          if (wanted !== null && live.generation !== wanted) throw indexChanged();
          const visible = new VisibleNodes(scope, slotName(this.key, live.slot), live.groups);
          const found = await read({ run, visible });
          const after = readLiveGraph(await run(LIVE_GRAPH, { key: this.key }));
          const isSame =
            after?.generation === live.generation && after.slot === live.slot && after.begun === live.begun;
          return isSame ? { generation: live.generation, ...found } : null;
        }),
      );
      if (answer === 'unsettled') await setTimeout(UNSETTLED_WAIT_MS);
      else if (answer) return answer;
      else tries++;
    }
    throw indexChanged();
  }

  private async counted<T>(answer: Promise<T>): Promise<T> {
    this.underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.underWay.delete(answer);
    }
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await Promise.allSettled(this.underWay);
    await this.neo4j.close();
  }
}

/** Checks that the graph can be read. @throws BackendUnavailableError `index_missing`, `index_incompatible` */
function checked(live: LiveGraph | null): LiveGraph {
  if (!live) throw unreadable('index_missing', 'Neo4j holds no graph for this project and environment.');
  if (live.identity !== GRAPH_IDENTITY) throw graphIncompatible('another version of Pith filled it');
  return live;
}

function graphIncompatible(why: string): BackendUnavailableError {
  return unreadable('index_incompatible', `The graph in Neo4j can't be read: ${why}.`);
}

function unreadable(reason: string, message: string): BackendUnavailableError {
  const hint = 'Run: PITH_GRAPH_ENGINE=neo4j pith index <folder>';
  return new BackendUnavailableError(message, { reason, hint });
}
