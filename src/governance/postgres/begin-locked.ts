/** Locks of this program on the database, held until the end of a transaction. The numbers are the same in all versions. */
const LOCKS = { schema: 7_233_041, ledger: 7_233_042, governance: 7_233_043 } as const;

/**
 * Statements that begin a transaction which no other process runs at the same time. Its commit reaches the disk, also
 * where the server does not wait for it by default.
 */
export function beginLocked(lock: keyof typeof LOCKS): string {
  return `BEGIN;
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT pg_advisory_xact_lock(${LOCKS[lock]})`;
}
