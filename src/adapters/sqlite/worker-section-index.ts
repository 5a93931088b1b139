import { SectionIndex } from '../../kb/section-index.port.js';
import type {
  IndexFacts,
  IndexStamp,
  SearchAnswer,
  SectionQuery,
  StoredSections,
} from '../../kb/section-index.port.js';
import type { Scope } from '../../scope/scope.js';
import type { ReaderThread } from './reader-thread.js';

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

  async facts(scope: Scope, facetLimit: number): Promise<IndexFacts> {
    return (await this.thread.ask({ method: 'facts', scope, facetLimit })) as IndexFacts;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
