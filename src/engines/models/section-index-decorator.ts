import type { CorpusFacts } from '../../core/corpus-facts.js';
import {
  type IndexFacts,
  type IndexStamp,
  type ListedDocuments,
  type SearchAnswer,
  SectionIndex,
  type SectionNeighbours,
  type StoredSections,
} from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';

/** Base class for decorators of a section index: forwards everything except `search`. */
export abstract class SectionIndexDecorator extends SectionIndex {
  constructor(protected readonly inner: SectionIndex) {
    super();
  }

  stamp(): Promise<IndexStamp> {
    return this.inner.stamp();
  }

  sections(scope: Scope, ids: readonly string[]): Promise<StoredSections> {
    return this.inner.sections(scope, ids);
  }

  neighbours(scope: Scope, id: string, context: number): Promise<SectionNeighbours | null> {
    return this.inner.neighbours(scope, id, context);
  }

  facts(scope: Scope, facetLimit: number): Promise<IndexFacts> {
    return this.inner.facts(scope, facetLimit);
  }

  corpus(scope: Scope): Promise<CorpusFacts> {
    return this.inner.corpus(scope);
  }

  documents(scope: Scope, offset: number, limit: number): Promise<ListedDocuments> {
    return this.inner.documents(scope, offset, limit);
  }

  resources(scope: Scope, after: string | null, limit: number): Promise<ListedDocuments> {
    return this.inner.resources(scope, after, limit);
  }

  resource(scope: Scope, path: string): Promise<StoredSections | null> {
    return this.inner.resource(scope, path);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** Marks an answer as degraded: one ranking signal was not available. */
export function markDegraded(answer: SearchAnswer, signal: 'vector' | 'rerank'): SearchAnswer {
  return { ...answer, degraded: [...new Set([...(answer.degraded ?? []), signal])] };
}
