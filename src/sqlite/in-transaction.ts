import { BackendUnavailableError } from '../core/errors.js';
import type { Database } from './driver.js';
import { isBusy, isDamaged, messageOf } from './open-database.js';

function asExpected(error: unknown): unknown {
  if (isBusy(error)) {
    return new BackendUnavailableError('Another program is writing the index.', {
      reason: 'index_busy',
      hint: 'Wait until it has finished, then run this again. An index that was published is still available.',
      cause: error,
    });
  }
  if (isDamaged(error)) {
    return new BackendUnavailableError('The index is damaged.', {
      reason: 'index_incompatible',
      hint: 'Restore a backup, or move the file away and run this again.',
      cause: error,
    });
  }
  if (!/disk is full|disk i\/o error|readonly database/i.test(messageOf(error))) return error;
  return new BackendUnavailableError(`The index can't be written: ${messageOf(error)}.`, {
    reason: 'index_not_writable',
    hint: 'Free disk space and run this again. Finished work is kept, and an index that was published is still available.',
    cause: error,
  });
}

/** Runs work as one transaction: all or nothing. @throws the driver's error */
export function transact<T>(database: Database, work: () => T): T {
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/**
 * Runs work on the index as one transaction.
 * @throws BackendUnavailableError `index_not_writable` if the disk is full or fails, `index_busy` if another writer
 *   takes longer than this connection waits
 */
export function inTransaction<T>(database: Database, work: () => T): T {
  try {
    return transact(database, work);
  } catch (error) {
    throw asExpected(error);
  }
}

/**
 * Runs asynchronous work as one transaction. Nothing else may use the connection meanwhile.
 * @param begin  `BEGIN` for work that only reads
 * @throws the driver's error
 */
export async function transactLong<T>(
  database: Database,
  work: () => Promise<T>,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE',
): Promise<T> {
  try {
    database.exec(begin);
    const result = await work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** The same on the index. @throws BackendUnavailableError as `inTransaction` */
export async function inLongTransaction<T>(database: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await transactLong(database, work);
  } catch (error) {
    throw asExpected(error);
  }
}

function rollBack(database: Database): void {
  // If the disk is full, SQLite rolls back by itself.
  if (database.isTransaction) database.exec('ROLLBACK');
}
