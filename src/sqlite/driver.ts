import { createRequire } from 'node:module';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { NativeGate } from '../core/threads/native-gate.js';

export type Row = Readonly<Record<string, unknown>>;

type NativeStatement = ReturnType<DatabaseSyncInstance['prepare']>;

/** A prepared statement; it must not outlive its database. */
export type Statement = Pick<NativeStatement, 'all' | 'get' | 'run' | 'iterate'>;

/** An open database. */
export interface Database extends Pick<DatabaseSyncInstance, 'exec' | 'close' | 'isTransaction'> {
  prepare(sql: string): Statement;
}

interface Options {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for another writer. */
  readonly timeout?: number;
}

interface Driver {
  readonly DatabaseSync: new (location: string, options?: Options) => Database;
  /** Not in `node:sqlite` before Node 22.16. */
  readonly backup?: (source: Database, file: string, options: { readonly rate: number }) => Promise<number>;
}

/** Pages that are copied before other work gets a turn. */
const PAGES_AT_ONCE = 2_000;

const load = createRequire(__filename);

function loadDriver(): Driver {
  try {
    return load('@photostructure/sqlite');
  } catch (error) {
    // On platforms without a build of the addon, use `node:sqlite` (Node 22.5 and later), which has the same interface.
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
let gate: NativeGate | null = null;

/** Makes this thread call SQLite through a gate, so that the process can end while SQLite runs. */
export function enterThrough(threadGate: NativeGate): void {
  gate = threadGate;
}

/** Opens a database file; the first call loads the driver. */
export function openDatabase(location: string, options: Options = {}): Database {
  const open = (): Database => {
    driver ??= loadDriver();
    return new driver.DatabaseSync(location, options);
  };
  return gate ? gatedDatabase(gate.run(open), gate) : open();
}

/** Copies a database as this connection sees it, while other connections write. @throws Error on a Node that can't */
export async function copyDatabase(source: Database, file: string): Promise<void> {
  driver ??= loadDriver();
  if (!driver.backup)
    throw new Error('This version of Node cannot copy a database. Use Node 22.16 or later.');
  await driver.backup(source, file, { rate: PAGES_AT_ONCE });
}

function gatedStatement(statement: Statement, through: NativeGate): Statement {
  return {
    all: (...values) => through.run(() => statement.all(...values)),
    get: (...values) => through.run(() => statement.get(...values)),
    run: (...values) => through.run(() => statement.run(...values)),
    *iterate(...values) {
      const rows = through.run(() => statement.iterate(...values));
      const step = () => through.run(() => rows.next());
      try {
        for (let next = step(); !next.done; next = step()) yield next.value;
      } finally {
        through.release(() => rows.return?.());
      }
    },
  };
}

function gatedDatabase(database: Database, through: NativeGate): Database {
  return {
    prepare: (sql) =>
      gatedStatement(
        through.run(() => database.prepare(sql)),
        through,
      ),
    exec: (sql) => through.release(() => database.exec(sql)),
    close: () => through.release(() => database.close()),
    get isTransaction() {
      return through.release(() => database.isTransaction);
    },
  };
}

/** A text column; empty for NULL. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const bytesOrNull = (value: unknown): Uint8Array | null =>
  value instanceof Uint8Array ? value : null;

/** Parses a column with JSON. @throws Error with SQLite's message, because that of `JSON.parse` shows the text */
export function storedJson(value: unknown): unknown {
  try {
    return JSON.parse(text(value));
  } catch {
    throw new Error('malformed JSON');
  }
}

/** Counts rows. @param from  a table, with a condition if needed; never user input */
export function countIn(database: Database, from: string): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.['n']);
}
