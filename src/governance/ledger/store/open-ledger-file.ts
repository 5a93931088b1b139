import { closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../../config/make-folder.js';
import { type Database, openDatabase } from '../../../sqlite/driver.js';
import { transact } from '../../../sqlite/in-transaction.js';
import { ledgerMissing, notALedger } from './ledger-failures.js';

/** Application id "Pitl": tells ledgers from index files and from databases of other programs. */
const LEDGER_ID = 0x5069746c;

/** Increment when the tables change. */
const LEDGER_VERSION = 1;

export const LEDGER_KIND = { id: LEDGER_ID, version: LEDGER_VERSION };

/**
 * How long one attempt waits for another process (ms). Short, because SQLite looks ever less often while it waits, and
 * waiting in native code can't be interrupted. Callers try again.
 */
const ATTEMPT_MS = 20;
/** Readers wait only while the first process creates the file. */
const READER_WAIT_MS = 500;

/**
 * The run of a line, as JSON, is computed from its event, so that all stored columns are covered by the hash. `head`
 * has one row.
 */
const TABLES = `
  CREATE TABLE line (seq INTEGER PRIMARY KEY, time TEXT NOT NULL, event TEXT NOT NULL, previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    run_id TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(event) THEN event -> '$.run_id' END) VIRTUAL);
  CREATE INDEX line_run ON line (run_id, seq) WHERE run_id IS NOT NULL;
  CREATE TABLE head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL,
    signature TEXT NOT NULL, key_id TEXT NOT NULL);
  PRAGMA application_id = ${LEDGER_ID};
  PRAGMA user_version = ${LEDGER_VERSION};`;

/** SQL: the outcome of a line's call; null for other lines. */
export const OUTCOME = `CASE WHEN json_valid(event) THEN event ->> '$.outcome' END`;

/** The outcomes of each run. Ledgers of earlier versions have no such index. */
const OUTCOMES = `CREATE INDEX IF NOT EXISTS line_outcome ON line (run_id, ${OUTCOME})
  WHERE run_id IS NOT NULL AND ${OUTCOME} IS NOT NULL`;

function pragma(database: Database, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** True for a ledger, false for an empty database. @throws BackendUnavailableError `ledger_incompatible` */
function isLedger(database: Database, file: string): boolean {
  const id = pragma(database, 'application_id');
  if (id === LEDGER_ID) {
    const version = pragma(database, 'user_version');
    if (version === LEDGER_VERSION) return true;
    throw notALedger(file, `it has the format version ${String(version)}`);
  }
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
  if (id === 0 && tables === 0) return false;
  throw notALedger(file, 'the database belongs to another program');
}

function hasOutcomes(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'line_outcome'").get() !== undefined;
}

function createLedger(database: Database, file: string): void {
  transact(database, () => {
    // Another process may have created it meanwhile.
    if (!isLedger(database, file)) database.exec(TABLES);
  });
}

/** Closes the database if the work on it fails. */
function orClosed(database: Database, prepare: (database: Database) => void): Database {
  try {
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a ledger for appending; creates it if missing, readable by its owner only. */
export function openLedgerToWrite(file: string): Database {
  makeFolder(dirname(file));
  // SQLite gives its other two files the mode of this one.
  closeSync(openSync(file, 'a', 0o600));
  return orClosed(openDatabase(file, { timeout: ATTEMPT_MS }), (database) => {
    const exists = isLedger(database, file);
    database.exec('PRAGMA journal_mode = WAL');
    if (!exists) createLedger(database, file);
    if (!hasOutcomes(database)) transact(database, () => database.exec(OUTCOMES));
  });
}

/** @throws BackendUnavailableError `ledger_missing` */
export function checkLedgerExists(file: string): void {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw ledgerMissing(file);
}

/** Opens a ledger for reading. @throws BackendUnavailableError `ledger_missing`, `ledger_incompatible` */
export function openLedgerToRead(file: string): Database {
  checkLedgerExists(file);
  return orClosed(openDatabase(file, { readOnly: true, timeout: READER_WAIT_MS }), (database) => {
    if (!isLedger(database, file)) throw ledgerMissing(file);
  });
}
