import { GraphStore } from '../../../core/ports/graph-store.port.js';
import type {
  Bridges,
  DescribedNodes,
  Expansion,
  GraphPage,
  GraphQuery,
  Subgraph,
} from '../../../core/ports/graph-store.port.js';
import type { Scope } from '../../../core/scope.js';
import type { ReaderThread } from '../reader-thread.js';

/** The graph, read on the thread. */
export class WorkerGraphStore extends GraphStore {
  constructor(private readonly thread: ReaderThread) {
    super();
  }

  // The thread runs the reader's method of the same name, so what comes back has its type.
  async describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes> {
    return (await this.thread.ask({ method: 'describe', scope, ids, withSnippet })) as DescribedNodes;
  }

  async bridges(scope: Scope, ids: readonly string[]): Promise<Bridges> {
    return (await this.thread.ask({ method: 'bridges', scope, ids })) as Bridges;
  }

  async walk(query: GraphQuery): Promise<Subgraph> {
    return (await this.thread.ask({ method: 'walk', query })) as Subgraph;
  }

  async expand(query: GraphQuery, page: GraphPage): Promise<Expansion> {
    return (await this.thread.ask({ method: 'expand', query, page })) as Expansion;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
