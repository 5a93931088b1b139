import { GraphStore } from '../../../core/ports/graph-store.port.js';
import type {
  Bridges,
  DescribedNodes,
  Expansion,
  GraphPage,
  GraphQuery,
  Subgraph,
} from '../../../core/ports/graph-store.port.js';
import type { Embedder } from '../../../core/ports/embedder.port.js';
import type { Scope } from '../../../core/scope.js';
import { IndexFile } from '../index-file.js';
import { SqliteGraphReader } from './sqlite-graph-reader.js';

/** The graph read on the calling thread: for the command line and tests, where nobody else waits. */
export class InProcessGraphStore extends GraphStore {
  private readonly file: IndexFile;
  private readonly reader: SqliteGraphReader;

  constructor(path: string, embedder: Embedder) {
    super();
    this.file = new IndexFile(path, embedder.profile);
    this.reader = new SqliteGraphReader(this.file);
  }

  async describe(scope: Scope, ids: readonly string[], withSnippet: boolean): Promise<DescribedNodes> {
    return this.reader.describe(scope, ids, withSnippet);
  }

  async bridges(scope: Scope, ids: readonly string[]): Promise<Bridges> {
    return this.reader.bridges(scope, ids);
  }

  async walk(query: GraphQuery): Promise<Subgraph> {
    return this.reader.walk(query);
  }

  async expand(query: GraphQuery, page: GraphPage): Promise<Expansion> {
    return this.reader.expand(query, page);
  }

  async close(): Promise<void> {
    this.file.close();
  }
}
