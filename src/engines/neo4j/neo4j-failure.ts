import { BackendUnavailableError, DeadlineExceededError } from '../../core/errors.js';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const GONE = new Set(['ServiceUnavailable', 'SessionExpired', 'ProtocolError', 'N/A']);
/** What reading an answer ends with that was cut short: the driver passes on Node's own errors. */
const CUT_SHORT = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** Whether Neo4j, or the way to it, failed as it may not do the next time. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  // The driver tells of a full pool, and of answers that it can't read, without a code of their own.
  if (GONE.has(code) || CUT_SHORT.has(code)) return true;
  return code.startsWith('Neo.TransientError.') || code === 'Neo.DatabaseError.General.UnknownError';
}

function refused(message: string, hint: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(message, { reason: 'neo4j', hint, cause });
}

/** Says in our words what is wrong with the server, its settings or ours; everything else stays as it is. */
export function neo4jFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (code.startsWith('Neo.ClientError.Security.') || code === 'Neo.ClientError.Database.DatabaseNotFound') {
    return refused(
      'Neo4j rejected the user or password, or does not have this database.',
      'The operator should check PITH_NEO4J_USER, PITH_NEO4J_PASSWORD and PITH_NEO4J_DATABASE.',
      error,
    );
  }
  if (code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut')) {
    return new DeadlineExceededError('Neo4j stopped a query that took too long.', {
      reason: 'neo4j',
      hint: 'Use fewer relations or hops. The operator can raise PITH_BACKEND_TIMEOUT_MS.',
      cause: error,
    });
  }
  return error;
}
