// src/sqlite: the embedded engine: one SQLite file with the index, the graph and memory behind the ports, and the vectors of latent semantics
import { closeSync, openSync, type Stats, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { BackendUnavailableError, PithError } from '../core/errors.js';
import { type Database, openDatabase } from './driver.js';
import { APPLICATION_ID } from './schema.js';

/** Time that a writer waits for another writer: publishing a large index takes half a minute. */
export const WRITER_WAIT_MS = 60_000;
/** Under WAL, readers wait only for a program that locks the whole file. */
const READER_WAIT_MS = 200;

/** There is no index at this path, or its first run has not finished. */
export function indexFileMissing(file: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`There is no index at ${file}.`, {
    serverFile: file,
    reason: 'index_missing',
    hint: `Run: pith index <folder> --index "${file}"`,
    cause,
  });
}

/** File status of an index; null if there is no file. @throws BackendUnavailableError */
export function statIndex(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw indexFileMissing(file, error);
  }
}

/** Another program locks the whole file. Pith itself never does. */
export function indexBusy(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The index at ${file} is locked by another program.`, {
    serverFile: file,
    reason: 'index_busy',
    hint: 'Try again in a moment. If it stays locked, find the program that has the file open.',
    cause,
  });
}

/** The message of a driver's error. Errors of a native addon may come from another realm, so `instanceof` fails. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

/** True if SQLite gave up waiting for a lock. */
export function isBusy(error: unknown): boolean {
  return /database (?:table )?is (?:locked|busy)/i.test(messageOf(error));
}

/** Messages of SQLite and FTS5 about damage. The driver sets no result code on errors of `all` and `iterate`. */
const DAMAGED =
  /database disk image is malformed|malformed (?:database schema|JSON)|file is not a database|^fts5: corrupt|^vtable constructor failed|^invalid fts5 file format/i;

/** True if the file is damaged or is not an SQLite file. */
export function isDamaged(error: unknown): boolean {
  return !(error instanceof PithError) && DAMAGED.test(messageOf(error));
}

/** Another version of Pith built the index, or it belongs to another project. */
export function indexFileIncompatible(file: string, why: string): BackendUnavailableError {
  return new BackendUnavailableError(`The index at ${file} can't be read by this version: ${why}.`, {
    serverFile: file,
    reason: 'index_incompatible',
    hint: `Run: pith index <folder> --index "${file}" --rebuild`,
  });
}

/** The file is not a Pith index. */
export function notAnIndex(file: string, why: string): BackendUnavailableError {
  return new BackendUnavailableError(`${file} is not a Pith index: ${why}.`, {
    serverFile: file,
    reason: 'index_incompatible',
    hint: 'Choose another file with --index or PITH_INDEX, or remove this file; then run pith index.',
  });
}

/** Pages of the file are damaged. It may hold memory, so the hint does not say to delete it. */
export function indexDamaged(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The index at ${file} is damaged, or it is not an SQLite file.`, {
    serverFile: file,
    reason: 'index_incompatible',
    hint: 'Restore a backup, or move the file away and run pith index. Memory in the file has to be imported again.',
    cause,
  });
}

/** True if the disk fails. */
const isDiskFailure = (error: unknown): boolean =>
  !(error instanceof PithError) && /disk I\/O error/i.test(messageOf(error));

/** The disk of the file, or of temporary files, fails. The file may hold memory. */
function diskFails(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The disk of the index at ${file} fails: ${messageOf(cause)}.`, {
    serverFile: file,
    reason: 'sqlite',
    hint: 'Try again. If it fails again, check the disk and restore a backup, or index again. Memory in the file has to be imported again.',
    cause,
  });
}

/** Why an index can't be read. */
const notReadable = (file: string, error: unknown): BackendUnavailableError =>
  isDiskFailure(error) ? diskFails(file, error) : indexDamaged(file, error);

/** Explains damage and a disk that fails; other errors are returned as they are. */
export const withDamageExplained = (file: string, error: unknown): unknown =>
  isDamaged(error) || isDiskFailure(error) ? notReadable(file, error) : error;

/** Owner of a database file, from its application id; an empty database belongs to nobody. */
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
    // The file is missing or can't be written. Then `openForReading` tries to open the index as an immutable file.
    return false;
  }
}

function probe(database: Database): Database {
  database.exec('PRAGMA query_only = 1');
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  return database;
}

/** Opens a file that nobody writes to, without files beside it. */
export function openImmutable(file: string): Database {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return probe(openDatabase(url.href, { readOnly: true }));
}

export interface OpenIndex {
  readonly database: Database;
  /** SQLite does not notice changes of an immutable file; reopen it after a change. */
  readonly isImmutable: boolean;
}

/**
 * Opens an index for reading. If its folder is read-only, the index is opened as an immutable file.
 * @throws BackendUnavailableError `index_missing`, `index_busy`, `index_incompatible`, `sqlite`
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
    if (canWriteBeside(file)) throw notReadable(file, error);
  }
  try {
    return { database: openImmutable(file), isImmutable: true };
  } catch (error) {
    throw notReadable(file, error);
  }
}

/** Opens an index for writing; creates it if missing. Deleted texts are overwritten: memory that was forgotten may be private. */
export function openForWriting(file: string): Database {
  const database = openDatabase(file, { timeout: WRITER_WAIT_MS });
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = ON`);
  return database;
}
