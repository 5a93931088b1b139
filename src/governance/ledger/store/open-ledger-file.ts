import { type Database, openDatabase } from '../../../sqlite/driver.js';
import { transact } from '../../../sqlite/in-transaction.js';
import { checkExists, createPrivately, isOwn, orClosed } from '../../../sqlite/stores/sqlite-database.js';
import { storeMissing } from '../../../sqlite/stores/store-failures.js';
import { LEDGER_KIND } from './ledger-failures.js';

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
  PRAGMA application_id = ${LEDGER_KIND.id};
  PRAGMA user_version = ${LEDGER_KIND.version};`;

/** SQL: the outcome of a line's call; null for other lines. */
export const OUTCOME = `CASE WHEN json_valid(event) THEN event ->> '$.outcome' END`;

/** The outcomes of each run. Ledgers of earlier versions have no such index. */
const OUTCOMES = `CREATE INDEX IF NOT EXISTS line_outcome ON line (run_id, ${OUTCOME})
  WHERE run_id IS NOT NULL AND ${OUTCOME} IS NOT NULL`;

const placeOf = (file: string) => ({ kind: LEDGER_KIND, file });

function hasOutcomes(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'line_outcome'").get() !== undefined;
}

function createLedger(database: Database, file: string): void {
  transact(database, () => {
    // Another process may have created it meanwhile.
    if (!isOwn(database, placeOf(file))) database.exec(TABLES);
  });
}

/** Opens a ledger for appending; creates it if missing, readable by its owner only. */
export function openLedgerToWrite(file: string): Database {
  createPrivately(file);
  return orClosed(openDatabase(file, { timeout: ATTEMPT_MS }), (database) => {
    const exists = isOwn(database, placeOf(file));
    database.exec('PRAGMA journal_mode = WAL');
    if (!exists) createLedger(database, file);
    if (!hasOutcomes(database)) transact(database, () => database.exec(OUTCOMES));
  });
}

/** Opens a ledger for reading. @throws BackendUnavailableError `ledger_missing`, `ledger_incompatible` */
export function openLedgerToRead(file: string): Database {
  checkExists(placeOf(file));
  return orClosed(openDatabase(file, { readOnly: true, timeout: READER_WAIT_MS }), (database) => {
    if (!isOwn(database, placeOf(file))) throw storeMissing(LEDGER_KIND, file);
  });
}
