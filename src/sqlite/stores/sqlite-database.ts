import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readStart } from '../../config/given-path.js';
import { makeFolder } from '../../config/make-folder.js';
import { tell } from '../../core/stderr.js';
import { newQueue } from '../../core/turns/queue.js';
import { closeStore } from '../close-store.js';
import { type Database, openDatabase } from '../driver.js';
import { transact, transactLong } from '../in-transaction.js';
import { isBusy, messageOf } from '../open-database.js';
import { type Sql, SqlDatabase, type SqlValues } from './sql-database.port.js';
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

function pragma(database: Database, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** True for a file of this kind, false for an empty database. @throws BackendUnavailableError `…_incompatible` */
export function isOwn(database: Database, { kind, file }: Pick<StorePlace, 'kind' | 'file'>): boolean {
  const [id, version] = [pragma(database, 'application_id'), pragma(database, 'user_version')];
  if (id === kind.id && version === kind.version) return true;
  if (id === kind.id) throw notAStore(kind, file, { why: `it has the format version ${String(version)}` });
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  if (id === 0 && tables === 0) return false;
  throw notAStore(kind, file, { why: 'the database belongs to another program' });
}

/** @throws BackendUnavailableError `…_missing` */
export function checkExists({ kind, file }: Pick<StorePlace, 'kind' | 'file'>): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw storeMissing(kind, file);
}

/** Creates an empty file if it is missing, readable by its owner only. SQLite gives its other two files the mode of this one. */
export function createPrivately(file: string): void {
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

/** Closes the database if the work on it fails. */
export function orClosed(database: Database, prepare: (database: Database) => void): Database {
  try {
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareTables(database: Database, place: StorePlace): void {
  const { kind, tables } = place;
  isOwn(database, place);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  transact(database, () => {
    isOwn(database, place);
    database.exec(`${tables}; PRAGMA application_id = ${kind.id}; PRAGMA user_version = ${kind.version}`);
  });
}

function openStore(place: StorePlace): Database {
  const { file, creates, isReadOnly: readOnly = false } = place;
  if (creates) createPrivately(file);
  else checkExists(place);
  return orClosed(openDatabase(file, { timeout: ATTEMPT_MS, readOnly }), (database) => {
    if (readOnly) isOwn(database, place);
    else prepareTables(database, place);
  });
}

/** @param isReadOnly  a file that is only read may be older than a table, which is empty then */
const statementsOn =
  (database: Database, isReadOnly: boolean): Sql =>
  async <Row extends object>(statement: string, values: SqlValues = {}) => {
    try {
      // Safe because our own tables have columns of these types.
      return database.prepare(statement).all(values) as Row[];
    } catch (error) {
      if (isReadOnly && messageOf(error).startsWith('no such table')) return [];
      throw error;
    }
  };

const MAGIC = 'SQLite format 3\0';

/** Warns when a server starts, not when a call first needs the store. A server can answer from documents without it. */
function warnIfForeign({ kind, file, creates }: StorePlace): void {
  if (!creates || !existsSync(file)) return;
  try {
    const start = Buffer.from(readStart(file, MAGIC.length)).toString('latin1');
    if (!statSync(file).isFile() || (start !== '' && start !== MAGIC))
      throw notAStore(kind, file, { why: 'it is no database' });
  } catch (error) {
    tell(`pith: warning: ${String(storeFailure(kind, file, error))}`);
  }
}

/** A file that is opened when it is first used, and again if its path has another file. */
export class ReopenedFile {
  private database: Database | null = null;
  private openedAs = '';

  /** @param open  is told if there is a file */
  constructor(
    private readonly file: string,
    private readonly open: (exists: boolean) => Database,
  ) {}

  current(): Database {
    const identity = this.identity();
    if (this.database && identity === this.openedAs) return this.database;
    this.close();
    this.database = this.open(identity !== '');
    this.openedAs = this.identity();
    return this.database;
  }

  close(): void {
    const { database } = this;
    this.database = null;
    if (database) closeStore(database);
  }

  private identity(): string {
    const stats = statSync(this.file, { throwIfNoEntry: false });
    return stats ? `${stats.dev}:${stats.ino}` : '';
  }
}

/**
 * Tables in an SQLite file. It is opened when it is first used, and several processes may use it at once. Work is rare
 * and short, so it runs in the main thread. If the file is moved away, the next use starts a new one.
 */
export class SqliteDatabase extends SqlDatabase {
  private readonly opened: ReopenedFile;
  private isClosed = false;
  /** Transactions of this process share a connection. */
  private readonly inTurn = newQueue();
  /** Only one of them waits for a locked file, so that readers have their turn meanwhile. */
  private readonly afterWriters = newQueue();

  constructor(private readonly place: StorePlace) {
    super();
    this.opened = new ReopenedFile(place.file, () => openStore(place));
    warnIfForeign(place);
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.transact(work, 'BEGIN');
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    // Those that wait in line for a locked file fail together, not one after the other.
    const since = performance.now();
    return this.afterWriters(() => this.transact(work, 'BEGIN IMMEDIATE', since));
  }

  /** Its processes run on one machine. */
  async now(): Promise<number> {
    return Date.now();
  }

  close(): Promise<void> {
    return this.afterWriters(() =>
      this.inTurn(async () => {
        this.isClosed = true;
        this.opened.close();
      }),
    );
  }

  private async transact<T>(
    work: (sql: Sql) => Promise<T>,
    begin: 'BEGIN' | 'BEGIN IMMEDIATE',
    since = performance.now(),
  ): Promise<T> {
    const { kind, file, isReadOnly = false } = this.place;
    const attempt = async (): Promise<T> => {
      if (this.isClosed) throw storeClosed(kind);
      const database = this.opened.current();
      return transactLong(database, () => work(statementsOn(database, isReadOnly)), begin);
    };
    for (;;) {
      try {
        return await this.inTurn(attempt);
      } catch (error) {
        if (!isBusy(error) || performance.now() > since + BUSY_LIMIT_MS)
          throw storeFailure(kind, file, error);
      }
      await pause(BUSY_PAUSE_MS);
    }
  }
}
