import { closeSync, openSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { BackendUnavailableError } from '../../core/errors.js';
import { openDatabase } from './driver.js';
import type { Database } from './driver.js';
import { APPLICATION_ID } from './schema.js';

/** How long a writer waits for another's transaction: that of a large index or import takes half a minute. */
export const WRITER_WAIT_MS = 60_000;
/** Readers never wait for writers under WAL; only somebody who locks the whole file makes them. */
const READER_WAIT_MS = 200;

/** No index at this place, or one whose first run has not finished. */
export function indexFileMissing(file: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`There is no index at ${file}.`, {
    reason: 'index_missing',
    hint: `Run: pith index <folder> --index "${file}"`,
    cause,
  });
}

/** What the file system says of an index; null where nothing is there. @throws BackendUnavailableError */
export function statIndex(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw indexFileMissing(file, error);
  }
}

/** Somebody holds the whole file, which Pith itself never does. */
export function indexBusy(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The index at ${file} is locked by another program.`, {
    reason: 'index_busy',
    hint: 'Try again in a moment. If it stays locked, find the program that has the file open.',
    cause,
  });
}

/** What a driver's error says; those of a native addon may belong to another realm, so their class tells nothing. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

/** Whether SQLite gave up waiting for a lock. */
export function isBusy(error: unknown): boolean {
  return /database (?:table )?is (?:locked|busy)/i.test(messageOf(error));
}

/** An index that another version of Pith built, or of another project. */
export function indexFileIncompatible(file: string, why: string): BackendUnavailableError {
  return new BackendUnavailableError(`The index at ${file} can't be read by this version: ${why}.`, {
    reason: 'index_incompatible',
    hint: `Run: pith index <folder> --index "${file}" --rebuild`,
  });
}

/** A file that is no index at all. */
export function notAnIndex(file: string, why: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`${file} is not a Pith index: ${why}.`, {
    reason: 'index_incompatible',
    hint: 'Choose another file with --index or PITH_INDEX, or remove this file; then run pith index.',
    cause,
  });
}

/** What a database file is: ours, nobody's yet, or somebody else's. */
export function ownerOf(database: Database): 'pith' | 'nobody' | 'other' {
  const id = database.prepare('PRAGMA main.application_id').get()?.['application_id'];
  if (id === APPLICATION_ID) return 'pith';
  const tables = database.prepare('SELECT count(*) AS n FROM main.sqlite_schema').get()?.['n'];
  return tables === 0 ? 'nobody' : 'other';
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
  if (!statIndex(file)?.isFile()) throw indexFileMissing(file);
  try {
    return {
      database: probe(openDatabase(file, { readOnly: true, timeout: READER_WAIT_MS })),
      isImmutable: false,
    };
  } catch (error) {
    if (isBusy(error)) throw indexBusy(file, error);
    if (canWriteBeside(file)) throw notAnIndex(file, 'it is damaged or not an SQLite file', error);
  }
  try {
    return { database: openImmutable(file), isImmutable: true };
  } catch (error) {
    throw notAnIndex(file, 'it is damaged or not an SQLite file', error);
  }
}

/** Opens an index for writing, made if it is not there. */
export function openForWriting(file: string): Database {
  const database = openDatabase(file, { timeout: WRITER_WAIT_MS });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
  return database;
}
