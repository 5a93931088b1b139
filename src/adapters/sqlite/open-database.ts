import { closeSync, openSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { BackendUnavailableError } from '../../errors.js';
import { openDatabase } from './driver.js';
import type { Database } from './driver.js';

/** How long a writer waits for another writer's transaction; readers never wait under WAL. */
const BUSY_TIMEOUT_MS = 5_000;

/** No index at this place, or one whose first run has not finished. */
export function indexMissing(file: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`There is no index at ${file}.`, {
    reason: 'index_missing',
    hint: `Run: pith index <folder> --index "${file}"`,
    cause,
  });
}

/** A file that is no index, or one that another version of Pith built. */
export function indexIncompatible(file: string, why: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The index at ${file} can't be read by this version: ${why}.`, {
    reason: 'index_incompatible',
    hint: `Run: pith index <folder> --index "${file}" --rebuild`,
    cause,
  });
}

function canWriteBeside(file: string): boolean {
  try {
    closeSync(openSync(`${file}-shm`, 'r+'));
    return true;
  } catch {
    // Absent until a first reader makes it: then the folder decides, which the probe below finds out.
    return false;
  }
}

function probe(database: Database): Database {
  database.exec('PRAGMA query_only = 1');
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  return database;
}

function openImmutable(file: string): Database {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return probe(openDatabase(url.href, { readOnly: true }));
}

export interface OpenIndex {
  readonly database: Database;
  /** SQLite will not notice that the file changes: open it anew when it does. */
  readonly isImmutable: boolean;
}

/**
 * Opens an index for reading; in a folder that can't be written, as an immutable file.
 * @throws BackendUnavailableError `index_missing`, `index_incompatible`
 */
export function openForReading(file: string): OpenIndex {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw indexMissing(file);
  try {
    return {
      database: probe(openDatabase(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })),
      isImmutable: false,
    };
  } catch (error) {
    if (canWriteBeside(file)) throw indexIncompatible(file, 'it is damaged or no SQLite file', error);
  }
  try {
    return { database: openImmutable(file), isImmutable: true };
  } catch (error) {
    throw indexIncompatible(file, 'it is damaged or no SQLite file', error);
  }
}

/** Opens an index for writing, made if it is not there. */
export function openForWriting(file: string): Database {
  const database = openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
  return database;
}
