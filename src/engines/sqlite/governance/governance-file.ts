import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { closeStore } from '../close-store.js';
import { type Database, openDatabase } from '../driver.js';
import { transact } from '../in-transaction.js';
import { isBusy } from '../open-database.js';
import {
  governanceStoreClosed,
  governanceStoreFailure,
  governanceStoreMissing,
  notAGovernanceStore,
} from './governance-failures.js';

/** Application id "Pitg": distinguishes governance stores from other files. */
const STORE_ID = 0x50697467;
/** Increment when existing tables change. New tables need no new version. */
const STORE_VERSION = 1;

/** How long one attempt waits for another process (ms). Short, because waiting blocks the event loop. */
const ATTEMPT_MS = 10;
/** How long work is tried again while other processes have the file locked, and the delay between attempts (ms). */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 5;

export interface GovernancePlace {
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

/** @throws BackendUnavailableError `governance_store_incompatible` */
function checkOwner(database: Database, file: string): void {
  const [id, version] = [pragma(database, 'application_id'), pragma(database, 'user_version')];
  if (id === STORE_ID && version === STORE_VERSION) return;
  if (id === STORE_ID) throw notAGovernanceStore(file, `it has the format version ${String(version)}`);
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  if (id !== 0 || tables !== 0) throw notAGovernanceStore(file, 'the database belongs to another program');
}

function prepareTables(database: Database, { file, tables }: GovernancePlace): void {
  checkOwner(database, file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  transact(database, () => {
    checkOwner(database, file);
    database.exec(`${tables}; PRAGMA application_id = ${STORE_ID}; PRAGMA user_version = ${STORE_VERSION}`);
  });
}

function openStore(place: GovernancePlace): Database {
  const { file, creates, isReadOnly: readOnly = false } = place;
  if (creates) {
    mkdirSync(dirname(file), { recursive: true });
    // Readable by its owner only. SQLite gives its other two files the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
  } else if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw governanceStoreMissing(file);
  const database = openDatabase(file, { timeout: ATTEMPT_MS, readOnly });
  try {
    if (readOnly) checkOwner(database, file);
    else prepareTables(database, place);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * The SQLite file of approvals and providers. It is opened when it is first used, and several processes may use it at
 * once. Work is rare and short, so it runs in the main thread. If the file is moved away, the next use starts a new one.
 */
export class GovernanceFile {
  private database: Database | null = null;
  private openedAs = '';
  private isClosed = false;

  constructor(private readonly place: GovernancePlace) {}

  /** Runs work in one transaction, which is on the disk when the promise resolves. @throws BackendUnavailableError */
  write<T>(work: (database: Database) => T): Promise<T> {
    return this.patiently(() => {
      const database = this.current();
      return transact(database, () => work(database));
    });
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

  private async patiently<T>(work: () => T): Promise<T> {
    const until = performance.now() + BUSY_LIMIT_MS;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) {
          throw governanceStoreFailure(this.place.file, error);
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
    if (this.isClosed) throw governanceStoreClosed();
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
