import { BackendUnavailableError } from '../../core/errors.js';

/** Another run writes the index, or copies the files that it will index. */
export function runUnderWay(): BackendUnavailableError {
  return new BackendUnavailableError('Another index run is under way.', {
    reason: 'index_busy',
    hint: 'Wait until it has ended; index.status tells if this server still indexes. Searches still work meanwhile.',
  });
}
