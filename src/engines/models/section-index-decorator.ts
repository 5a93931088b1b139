import { callSignal } from '../../core/call-signal.js';
import { isBackendLost } from '../../core/errors.js';
import { type SearchAnswer, SectionIndex } from '../../core/ports/section-index.port.js';

/** Base class for decorators of a section index: forwards everything except `search`. */
export abstract class SectionIndexDecorator extends SectionIndex {
  constructor(protected readonly inner: SectionIndex) {
    super();
  }

  stamp(): ReturnType<SectionIndex['stamp']> {
    return this.inner.stamp();
  }

  sections(...args: Parameters<SectionIndex['sections']>): ReturnType<SectionIndex['sections']> {
    return this.inner.sections(...args);
  }

  quoting(...args: Parameters<SectionIndex['quoting']>): ReturnType<SectionIndex['quoting']> {
    return this.inner.quoting(...args);
  }

  neighbours(...args: Parameters<SectionIndex['neighbours']>): ReturnType<SectionIndex['neighbours']> {
    return this.inner.neighbours(...args);
  }

  facts(...args: Parameters<SectionIndex['facts']>): ReturnType<SectionIndex['facts']> {
    return this.inner.facts(...args);
  }

  corpus(...args: Parameters<SectionIndex['corpus']>): ReturnType<SectionIndex['corpus']> {
    return this.inner.corpus(...args);
  }

  documents(...args: Parameters<SectionIndex['documents']>): ReturnType<SectionIndex['documents']> {
    return this.inner.documents(...args);
  }

  resources(...args: Parameters<SectionIndex['resources']>): ReturnType<SectionIndex['resources']> {
    return this.inner.resources(...args);
  }

  resource(...args: Parameters<SectionIndex['resource']>): ReturnType<SectionIndex['resource']> {
    return this.inner.resource(...args);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

/** Waits for a model. @returns null if the model is unavailable */
export async function orNullIfLost<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    // An exceeded call deadline is not a failure of the model.
    if (!isBackendLost(error) || callSignal()?.aborted) throw error;
    return null;
  }
}

/** Marks an answer as degraded: one ranking signal was not available. */
export function markDegraded(answer: SearchAnswer, signal: 'vector' | 'rerank'): SearchAnswer {
  return { ...answer, degraded: [...new Set([...(answer.degraded ?? []), signal])] };
}
