import type { Database } from './driver.js';

/**
 * Closes a database in WAL mode, with everything in its main file. The driver does not finalise statements, so SQLite
 * keeps the files `-wal` and `-shm` until the process ends; the first is empty then.
 */
export function closeStore(database: Database): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The database was opened for reading, or can't be written. Its log is read at the next opening.
  }
  database.close();
}
