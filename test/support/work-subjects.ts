import { beginLocked } from '../../src/engines/postgres/postgres-connection.js';
import { PostgresDatabase } from '../../src/engines/postgres/postgres-database.js';
import type { Sql, SqlDatabase } from '../../src/sqlite/stores/sql-database.port.js';
import { openWorkFile } from '../../src/work/work-databases.js';
import { connectTo, type TestDatabase } from './postgres-database.js';
import { testFolder } from './test-folder.js';

/** An empty database of the work of agents. */
export interface WorkSubject {
  /** Opens it, as one process does. */
  readonly open: () => SqlDatabase;
  /** Runs a statement, on a connection of its own. */
  readonly sql: Sql;
  /** Keeps others from writing. @returns ends it */
  readonly lock: () => Promise<() => Promise<void>>;
  readonly remove: () => Promise<void>;
}

export type MakeWork = () => Promise<WorkSubject>;

/** The databases that a subject opened, which it closes. */
function opening(make: () => SqlDatabase) {
  const opened: SqlDatabase[] = [];
  const open = (): SqlDatabase => {
    const database = make();
    opened.push(database);
    return database;
  };
  const close = () => Promise.all(opened.splice(0).map((database) => database.close()));
  const apart = open();
  const sql: Sql = (statement, values) => apart.write((run) => run(statement, values));
  return { open, close, sql, lock: () => holdTurn(open()) };
}

/** Takes the turn of a writer until it is ended. */
async function holdTurn(database: SqlDatabase): Promise<() => Promise<void>> {
  let end: () => void = () => undefined;
  let turn: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    turn = database.write(async () => {
      resolve();
      await new Promise<void>((ended) => (end = ended));
    });
  });
  return () => {
    end();
    return turn;
  };
}

export const sqliteWork: MakeWork = async () => {
  const folder = testFolder();
  const file = folder.file('index.work.sqlite');
  const { close, ...subject } = opening(() => openWorkFile(file));
  return {
    ...subject,
    remove: async () => {
      await close();
      folder.remove();
    },
  };
};

/** SQL: the names of the tables. */
const TABLES = `SELECT string_agg(format('pith.%I', relname), ', ') AS names FROM pg_class
  WHERE relnamespace = 'pith'::regnamespace AND relkind = 'r' AND relname !~ '^(ledger_|version)'`;

/** @param database  its contents are removed for each subject */
export const postgresWork =
  (database: () => TestDatabase): MakeWork =>
  async () => {
    const { url, sql } = database();
    const { close, ...subject } = opening(
      () => new PostgresDatabase(connectTo(url, { timeoutMs: 30_000 }), beginLocked('work', 'all')),
    );
    await subject.open().read(async () => undefined);
    const [tables] = await sql(TABLES);
    await sql(`TRUNCATE ${String(tables?.['names'])}`);
    return { ...subject, remove: async () => void (await close()) };
  };
