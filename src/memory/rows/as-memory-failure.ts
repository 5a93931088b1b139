import { BackendUnavailableError } from '../../core/errors.js';

/** Gives a failure of the store the reason that callers of this tool know: all but the embedder's is the database's. */
export function asMemoryFailure(error: unknown): unknown {
  if (!(error instanceof BackendUnavailableError)) return error;
  if (error.reason === 'embedder_unavailable' || error.reason === 'db_error') return error;
  const { message, hint, details, cause, reason } = error;
  return new BackendUnavailableError(message, {
    reason: 'db_error',
    hint,
    details: { ...details, backend: reason },
    cause,
  });
}
