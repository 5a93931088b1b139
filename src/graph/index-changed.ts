import { BackendUnavailableError } from '../errors.js';

/** What is thrown where an index was published between two reads of one call. */
export function indexChanged(): BackendUnavailableError {
  return new BackendUnavailableError('The index changed while this was answered.', {
    reason: 'index_busy',
    hint: 'Call again in a moment.',
  });
}
