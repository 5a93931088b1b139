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
import type { ReaderThread } from '../reader-thread.js';

/** The sections, read on the thread. */
export class WorkerSectionIndex extends SectionIndex {
  constructor(private readonly thread: ReaderThread) {
    super();
  }

  // The thread runs the reader's method of the same name, so what comes back has its type.
  async stamp(): Promise<IndexStamp> {
    return (await this.thread.ask({ method: 'stamp' })) as IndexStamp;
  }

  async search(query: SectionQuery): Promise<SearchAnswer> {
    return (await this.thread.ask({ method: 'search', query })) as SearchAnswer;
  }

  async sections(scope: Scope, ids: readonly string[]): Promise<StoredSections> {
    return (await this.thread.ask({ method: 'sections', scope, ids })) as StoredSections;
  }

  async neighbours(scope: Scope, id: string, context: number): Promise<SectionNeighbours | null> {
    const answer = await this.thread.ask({ method: 'neighbours', scope, id, context });
    return answer as SectionNeighbours | null;
  }

  async facts(scope: Scope, facetLimit: number): Promise<IndexFacts> {
    return (await this.thread.ask({ method: 'facts', scope, facetLimit })) as IndexFacts;
  }

  async corpus(scope: Scope): Promise<CorpusFacts> {
    return (await this.thread.ask({ method: 'corpus', scope })) as CorpusFacts;
  }

  async documents(scope: Scope, offset: number, limit: number): Promise<ListedDocuments> {
    return (await this.thread.ask({ method: 'documents', scope, offset, limit })) as ListedDocuments;
  }

  async resources(scope: Scope, after: string | null, limit: number): Promise<ListedDocuments> {
    return (await this.thread.ask({ method: 'resources', scope, after, limit })) as ListedDocuments;
  }

  async resource(scope: Scope, path: string): Promise<StoredSections | null> {
    return (await this.thread.ask({ method: 'resource', scope, path })) as StoredSections | null;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
