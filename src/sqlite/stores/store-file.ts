import { closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '../../config/make-folder.js';
import { closeStore } from '../close-store.js';
import { type Database, openDatabase } from '../driver.js';
import { transact, transactLong } from '../in-transaction.js';
import { isBusy } from '../open-database.js';
import { notAStore, storeClosed, storeFailure, type StoreKind, storeMissing } from './store-failures.js';

/** How long one attempt waits for another process (ms). Short, because waiting blocks the event loop. */
const ATTEMPT_MS = 10;
/** How long work is tried again while other processes have the file locked, and the delay between attempts (ms). */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 5;

export interface StorePlace {
  readonly kind: StoreKind;
  readonly file: string;
  /** Statements that create the tables of one part, if they are missing. */
  readonly tables: string;
  /** True for servers. A command must not create a file that the server then can't write. */
  readonly creates: boolean;
  /** Changes nothing, not even the tables. Default: false. */
  readonly isReadOnly?: boolean;
}

interface TransactionTurn {
  readonly begin: 'BEGIN' | 'BEGIN IMMEDIATE';
  readonly since: number;
  readonly inTurn: <T>(attempt: () => Promise<T>) => Promise<T>;
}

function pragma(database: Database, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** @throws BackendUnavailableError `…_incompatible` */
function checkOwner(database: Database, { kind, file }: StorePlace): void {
  const [id, version] = [pragma(database, 'application_id'), pragma(database, 'user_version')];
  if (id === kind.id && version === kind.version) return;
  if (id === kind.id) throw notAStore(kind, file, { why: `it has the format version ${String(version)}` });
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  if (id !== 0 || tables !== 0)
    throw notAStore(kind, file, { why: 'the database belongs to another program' });
}

function prepareTables(database: Database, place: StorePlace): void {
  const { kind, tables } = place;
  checkOwner(database, place);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  transact(database, () => {
    checkOwner(database, place);
    database.exec(`${tables}; PRAGMA application_id = ${kind.id}; PRAGMA user_version = ${kind.version}`);
  });
}

function openStore(place: StorePlace): Database {
  const { kind, file, creates, isReadOnly: readOnly = false } = place;
  if (creates) {
    makeFolder(dirname(file));
    // Readable by its owner only. SQLite gives its other two files the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
  } else if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw storeMissing(kind, file);
  const database = openDatabase(file, { timeout: ATTEMPT_MS, readOnly });
  try {
    if (readOnly) checkOwner(database, place);
    else prepareTables(database, place);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * An SQLite file with small tables. It is opened when it is first used, and several processes may use it at once. Work
 * is rare and short, so it runs in the main thread. If the file is moved away, the next use starts a new one.
 */
export class StoreFile {
  private database: Database | null = null;
  private openedAs = '';
  private isClosed = false;

  constructor(private readonly place: StorePlace) {}

  /** Runs work in one transaction, which is on the disk when the promise resolves. @throws BackendUnavailableError */
  write<T>(work: (database: Database) => T): Promise<T> {
    return this.patiently(() => {
      const database = this.current();
      return transact(database, () => work(database));
    });
  }

  /**
   * Runs asynchronous work in one transaction.
   * @param how  `begin`: `BEGIN` for work that only reads; `since`: when the caller began to wait, as of
   *   `performance.now()`; `inTurn`: runs each attempt while nothing else uses this object
   */
  transaction<T>(
    work: (database: Database) => Promise<T>,
    { begin, since, inTurn }: TransactionTurn,
  ): Promise<T> {
    const attempt = async (): Promise<T> => {
      const database = this.current();
      return transactLong(database, () => work(database), begin);
    };
    return this.patiently(() => inTurn(attempt), since);
  }

  /** Runs one query. @throws BackendUnavailableError */
  read<T>(query: (database: Database) => T): Promise<T> {
    return this.patiently(() => query(this.current()));
  }

  /** Later use fails: work in the background must not open the file again. */
  close(): void {
    this.isClosed = true;
    this.closeDatabase();
  }

  private async patiently<T>(work: () => T | Promise<T>, since = performance.now()): Promise<T> {
    const until = since + BUSY_LIMIT_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) {
          throw storeFailure(this.place.kind, this.place.file, error);
        }
      }
      await pause(BUSY_PAUSE_MS);
    }
  }

  private closeDatabase(): void {
    const { database } = this;
    this.database = null;
    if (database) closeStore(database);
  }

  /** The open database; reopened if its path has another file. */
  private current(): Database {
    if (this.isClosed) throw storeClosed(this.place.kind);
    if (this.database && this.identity() === this.openedAs) return this.database;
    this.closeDatabase();
    this.database = openStore(this.place);
    this.openedAs = this.identity();
    return this.database;
  }

  private identity(): string {
    const seen = statSync(this.place.file, { throwIfNoEntry: false });
    return seen ? `${seen.dev}:${seen.ino}` : '';
  }
}
