import { BackendUnavailableError, DeadlineExceededError } from '../../core/errors.js';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

const GONE = new Set(['ServiceUnavailable', 'SessionExpired', 'ProtocolError', 'N/A']);
/** Node's errors for a truncated answer; the driver passes them on. */
const TRUNCATED = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** True for temporary failures of Neo4j or the connection. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  // 'N/A' is the driver's code for a full pool and for unreadable answers.
  if (GONE.has(code) || TRUNCATED.has(code)) return true;
  return code.startsWith('Neo.TransientError.') || code === 'Neo.DatabaseError.General.UnknownError';
}

/** Explains errors about credentials, database and timeout with our own message; returns others unchanged. */
export function neo4jFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (code.startsWith('Neo.ClientError.Security.') || code === 'Neo.ClientError.Database.DatabaseNotFound') {
    const message = 'Neo4j rejected the user or password, or does not have this database.';
    const hint = 'The operator should check PITH_NEO4J_USER, PITH_NEO4J_PASSWORD and PITH_NEO4J_DATABASE.';
    return new BackendUnavailableError(message, { reason: 'neo4j', hint, cause: error });
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
