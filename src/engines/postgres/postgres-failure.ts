import { BackendUnavailableError } from '../../core/errors.js';

/** The connection failed. */
export class PostgresBroken extends Error {}

/** PostgreSQL answered with an error. Its text is not kept, since it may quote values. */
export class PostgresRefusal extends Error {
  /** @param state  SQLSTATE, five characters */
  constructor(readonly state: string) {
    super(`PostgreSQL returned the error ${state}.`);
  }
}

/** Connection exceptions, shutdown and start of the server, too many connections, serialization and deadlocks. */
const TEMPORARY = /^(?:08|57P|53300|40)/;

const HINTS: Readonly<Record<string, string>> = {
  '28000': 'The operator should correct the user in PITH_DATABASE or PITH_GOVERNANCE_DATABASE.',
  '28P01': 'The operator should correct the user and password in PITH_DATABASE or PITH_GOVERNANCE_DATABASE.',
  '3D000': 'The operator should create the database that PITH_DATABASE or PITH_GOVERNANCE_DATABASE names.',
  '42501':
    'The operator should give the user in PITH_DATABASE or PITH_GOVERNANCE_DATABASE the rights that docs/governance.md lists.',
  '42P01': 'The tables were removed. The operator should restore them, or restart the servers.',
  '25006':
    'The database is read-only. The operator should name the primary server in PITH_DATABASE or PITH_GOVERNANCE_DATABASE.',
  '55P03': 'Another process has locked the table. Try again in a moment.',
  '53100': 'The operator should free disk space on the database server.',
};

/** An error of the driver as one of ours. */
export function fromDriver(error: unknown): Error {
  const isAnswer =
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^[\dA-Z]{5}$/.test(error.code);
  return isAnswer
    ? new PostgresRefusal(String(error.code))
    : new PostgresBroken('the connection failed', { cause: error });
}

/** True for temporary failures. */
export function isTransientPostgres(error: unknown): boolean {
  if (error instanceof PostgresRefusal) return TEMPORARY.test(error.state);
  return error instanceof PostgresBroken;
}

/** The database can't be reached. For requests that no `Backend` protects. */
export function unreachable(cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError("PostgreSQL can't be reached.", {
    reason: 'postgres',
    hint: 'Check that PostgreSQL is running and that PITH_DATABASE or PITH_GOVERNANCE_DATABASE is right.',
    cause,
  });
}

/** Changes before this one took all of its time. */
export function waitedTooLong(): BackendUnavailableError {
  return new BackendUnavailableError(
    'Other changes are waiting for PostgreSQL, and this one was not begun.',
    {
      reason: 'postgres',
      hint: 'Try again in a moment.',
    },
  );
}

/** Explains permanent errors of PostgreSQL; returns others unchanged. */
export function explainPostgres(error: unknown): unknown {
  if (!(error instanceof PostgresRefusal) || isTransientPostgres(error)) return error;
  return new BackendUnavailableError(`PostgreSQL rejected the request (${error.state}).`, {
    reason: 'postgres',
    hint: HINTS[error.state] ?? 'The operator should check the log of PostgreSQL.',
    cause: error,
  });
}
