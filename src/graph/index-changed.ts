import { BackendUnavailableError } from '../core/errors.js';

/** The error if a new index was published between two reads of one call. */
export function indexChanged(): BackendUnavailableError {
  return new BackendUnavailableError('The index changed during this call.', {
    reason: 'index_busy',
    hint: 'Try again in a moment. While an index run publishes to another engine, this can last until the run has finished.',
  });
}
