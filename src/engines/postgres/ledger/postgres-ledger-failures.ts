import { BackendUnavailableError } from '../../../core/errors.js';
import type { LedgerFailures } from '../../ledger/continue-ledger.js';
import { PostgresRefusal } from '../postgres-failure.js';

/** Failures of the ledger in a database. @param place  the database, without credentials */
export const failuresIn = (place: string): LedgerFailures => ({
  damaged: (why) =>
    new BackendUnavailableError(`The ledger in ${place} is damaged: ${why}.`, {
      reason: 'ledger_damaged',
      hint: 'Keep the tables for analysis and run: pith ledger verify. A new ledger starts once the schema "pith" is renamed.',
    }),
  otherSecret: () =>
    new BackendUnavailableError(`The ledger in ${place} was written with another server secret.`, {
      reason: 'ledger_other_secret',
      hint: 'Set PITH_SECRET to the secret of this ledger, the same on all replicas, or name another database in PITH_GOVERNANCE_DATABASE.',
    }),
});

const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';

/** Explains locks and duplicate numbers; returns other errors unchanged. */
export function ledgerRefusal(place: string, error: unknown): unknown {
  const refusal = error instanceof BackendUnavailableError ? error.cause : null;
  if (!(refusal instanceof PostgresRefusal)) return error;
  if (refusal.state === UNIQUE_VIOLATION) return failuresIn(place).damaged('there are lines after its head');
  if (refusal.state !== LOCK_NOT_AVAILABLE) return error;
  return new BackendUnavailableError(`The ledger in ${place} is locked by another process.`, {
    reason: 'ledger_busy',
    hint: 'Try again in a moment.',
    cause: error,
  });
}
