import type { Embedder } from '../../kb/embedder.port.js';
import { SectionIndex } from '../../kb/section-index.port.js';
import type { IndexFacts, IndexStamp, SearchAnswer, SectionQuery } from '../../kb/section-index.port.js';
import type { Scope } from '../../scope/scope.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';

/** The index read on the calling thread: for the command line and tests, where nobody else waits. */
export class InProcessSectionIndex extends SectionIndex {
  private readonly reader: SqliteIndexReader;

  constructor(file: string, embedder: Embedder) {
    super();
    this.reader = new SqliteIndexReader(file, embedder);
  }

  async stamp(): Promise<IndexStamp> {
    return this.reader.stamp();
  }

  async search(query: SectionQuery): Promise<SearchAnswer> {
    return this.reader.search(query);
  }

  async facts(scope: Scope, facetLimit: number): Promise<IndexFacts> {
    return this.reader.facts(scope, facetLimit);
  }

  async close(): Promise<void> {
    this.reader.close();
  }
}
