import { BackendUnavailableError } from '../../core/errors.js';
import {
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
import { pageOfWalk } from '../../graph/walk-graph.js';
import { findBridges } from './find-bridges.js';
import {
  GRAPH_IDENTITY,
  graphKey,
  type GraphOwner,
  LIVE_GRAPH,
  type LiveGraph,
  readLiveGraph,
  slotName,
} from './graph-slot.js';
import { Neo4jConnection, type Neo4jOptions, type RunCypher } from './neo4j-connection.js';
import { Neo4jNodes } from './neo4j-nodes.js';
import { Neo4jWalker } from './neo4j-walker.js';
import { preparePlans } from './prepare-plans.js';
import { VisibleNodes } from './visible-nodes.js';

/** Attempts to read one generation while graphs are being published. */
const MAX_TRIES = 3;

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

  /** Reads from the live slot, and repeats the read if another graph was published meanwhile. */
  private async reading<T extends object>(
    scope: Scope,
    read: (reading: Reading) => Promise<T>,
  ): Promise<T & { readonly generation: string }> {
    const { projectId, environment } = this.owner;
    if (scope.projectId !== projectId || scope.environment !== environment)
      throw graphIncompatible('it holds another project or environment');
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const answer = await this.counted(
        this.neo4j.read(async (run) => {
          const live = checked(readLiveGraph(await run(LIVE_GRAPH, { key: this.key })));
          const visible = new VisibleNodes(scope, slotName(this.key, live.slot));
          const found = await read({ run, visible });
          const after = readLiveGraph(await run(LIVE_GRAPH, { key: this.key }));
          const isSame = after?.generation === live.generation && after.slot === live.slot;
          return isSame ? { generation: live.generation, ...found } : null;
        }),
      );
      if (answer) return answer;
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
