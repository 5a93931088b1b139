import { createRequire } from 'node:module';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** An open database. */
export type Database = DatabaseSyncInstance;

/** A prepared statement; it must not outlive its database. */
export type Statement = ReturnType<Database['prepare']>;

interface Options {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for another writer. */
  readonly timeout?: number;
}

interface Driver {
  readonly DatabaseSync: new (location: string, options?: Options) => Database;
}

const load = createRequire(__filename);

function loadDriver(): Driver {
  try {
    return load('@photostructure/sqlite');
  } catch (error) {
    // The same interface ships with Node 22.5 and later: for platforms that the addon has no build for.
    try {
      return load('node:sqlite');
    } catch {
      throw new Error('Neither @photostructure/sqlite nor node:sqlite can be loaded on this platform.', {
        cause: error,
      });
    }
  }
}

let driver: Driver | null = null;

/** Opens a database file; the driver is loaded with the first one. */
export function openDatabase(location: string, options: Options = {}): Database {
  driver ??= loadDriver();
  return new driver.DatabaseSync(location, options);
}
