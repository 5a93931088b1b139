import { BackendUnavailableError } from '../../core/errors.js';

/** So many batched events wait that no more are accepted. */
export function ledgerFull(cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError('Too many lines wait because the ledger cannot be written.', {
    reason: 'ledger_not_writable',
    hint: 'The server log has the cause. Calls are recorded again once the ledger can be written.',
    cause,
  });
}

/** Batched events that could not be stored before the ledger was closed. */
export function linesLost(count: number, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The ledger was closed before ${count} lines could be written.`, {
    reason: 'ledger_not_writable',
    hint: 'Make the ledger writable before the server starts again.',
    cause,
  });
}

/** The ledger was used after it was closed. */
export function ledgerClosed(): BackendUnavailableError {
  return new BackendUnavailableError('The ledger is closed.', {
    reason: 'ledger_closed',
    hint: 'The server is stopping. Send the call to another server, or try again.',
  });
}
