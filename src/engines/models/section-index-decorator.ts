import { callSignal } from '../../core/call-signal.js';
import { isBackendLost } from '../../core/errors.js';
import { type SearchAnswer, SectionIndex } from '../../core/ports/section-index.port.js';

/** Base class for decorators of a section index: forwards everything except `search`. */
export abstract class SectionIndexDecorator extends SectionIndex {
  constructor(protected readonly inner: SectionIndex) {
    super();
  }

  stamp: SectionIndex['stamp'] = () => this.inner.stamp();
  sections: SectionIndex['sections'] = (...args) => this.inner.sections(...args);
  neighbours: SectionIndex['neighbours'] = (...args) => this.inner.neighbours(...args);
  facts: SectionIndex['facts'] = (...args) => this.inner.facts(...args);
  corpus: SectionIndex['corpus'] = (...args) => this.inner.corpus(...args);
  documents: SectionIndex['documents'] = (...args) => this.inner.documents(...args);
  resources: SectionIndex['resources'] = (...args) => this.inner.resources(...args);
  resource: SectionIndex['resource'] = (...args) => this.inner.resource(...args);

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
