import type { Embedder } from '../../../core/ports/embedder.port.js';
import { SectionIndex } from '../../../core/ports/section-index.port.js';
import type {
  IndexFacts,
  IndexStamp,
  ListedDocuments,
  SearchAnswer,
  SectionNeighbours,
  SectionQuery,
  StoredSections,
} from '../../../core/ports/section-index.port.js';
import type { CorpusFacts } from '../../../core/corpus-facts.js';
import type { Scope } from '../../../core/scope.js';
import { IndexFile } from '../index-file.js';
import { SqliteIndexReader } from './sqlite-index-reader.js';

/** The index read on the calling thread: for the command line and tests, where nobody else waits. */
export class InProcessSectionIndex extends SectionIndex {
  private readonly file: IndexFile;
  private readonly reader: SqliteIndexReader;

  constructor(path: string, embedder: Embedder) {
    super();
    this.file = new IndexFile(path, embedder.profile);
    this.reader = new SqliteIndexReader(this.file, embedder);
  }

  async stamp(): Promise<IndexStamp> {
    return this.reader.stamp();
  }

  async search(query: SectionQuery): Promise<SearchAnswer> {
    return this.reader.search(query);
  }

  async sections(scope: Scope, ids: readonly string[]): Promise<StoredSections> {
    return this.reader.sections(scope, ids);
  }

  async neighbours(scope: Scope, id: string, context: number): Promise<SectionNeighbours | null> {
    return this.reader.neighbours(scope, id, context);
  }

  async facts(scope: Scope, facetLimit: number): Promise<IndexFacts> {
    return this.reader.facts(scope, facetLimit);
  }

  async corpus(scope: Scope): Promise<CorpusFacts> {
    return this.reader.corpus(scope);
  }

  async documents(scope: Scope, offset: number, limit: number): Promise<ListedDocuments> {
    return this.reader.documents(scope, offset, limit);
  }

  async resources(scope: Scope, after: string | null, limit: number): Promise<ListedDocuments> {
    return this.reader.resources(scope, after, limit);
  }

  async resource(scope: Scope, path: string): Promise<StoredSections | null> {
    return this.reader.resource(scope, path);
  }

  async close(): Promise<void> {
    this.file.close();
  }
}
