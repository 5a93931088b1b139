import type { Config } from '../config/config.js';
import type { Database } from '../sqlite/driver.js';
import type { StoreKind } from '../sqlite/stores/store-failures.js';
import { StoreFile, type StorePlace } from '../sqlite/stores/store-file.js';
import { CLAIM_TABLES } from './claims/claim-store.js';
import { CORPUS_TABLES } from './corpora/corpus-store.js';
import { RUN_TABLES } from './runs/run-store.js';
import { SCHEMA_TABLES } from './schemas/schema-store.js';
import { ARTIFACT_TABLES } from './substrate/artifacts/artifact-rows.js';
import { MANIFEST_TABLES } from './substrate/manifests/manifest-store.js';
import { POINTER_TABLES } from './substrate/pointers/pointer-store.js';
import { USAGE_TABLE } from './substrate/substrate-usage.js';
import { type Sql, WorkDatabase } from './work-database.port.js';

/** The file of what the tools of MCP_DOMAINS store. Its application id is "Pitw". */
const WORK_STORE: StoreKind = {
  id: 0x50697477,
  version: 1,
  name: 'work store',
  reason: 'work_store',
  setting: 'PITH_WORK_FILE',
};

const TABLES = [
  ...[RUN_TABLES, SCHEMA_TABLES, USAGE_TABLE, ARTIFACT_TABLES, MANIFEST_TABLES, POINTER_TABLES],
  ...[CLAIM_TABLES, CORPUS_TABLES],
].join(';');

const statementsOn =
  (database: Database): Sql =>
  async (statement, values = {}) =>
    database.prepare(statement).all(values);

/** One SQLite file. Its statements run in the main thread, because work is rare and short. */
export class SqliteWorkDatabase extends WorkDatabase {
  private readonly file: StoreFile;
  private last: Promise<unknown> = Promise.resolve();

  constructor(place: Pick<StorePlace, 'file' | 'creates'>) {
    super();
    this.file = new StoreFile({ kind: WORK_STORE, ...place, tables: TABLES });
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.transact(work, 'BEGIN');
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.transact(work, 'BEGIN IMMEDIATE');
  }

  close(): Promise<void> {
    return this.inTurn(async () => this.file.close());
  }

  private transact<T>(work: (sql: Sql) => Promise<T>, begin: 'BEGIN' | 'BEGIN IMMEDIATE'): Promise<T> {
    // Those that wait in line for a locked file fail together, not one after the other.
    const since = performance.now();
    return this.inTurn(() => this.file.transaction((database) => work(statementsOn(database)), begin, since));
  }

  /** Transactions of this process share a connection, so one begins after the other has ended. */
  private inTurn<T>(use: () => Promise<T>): Promise<T> {
    const result = this.last.then(use);
    this.last = result.catch(() => undefined);
    return result;
  }
}

/** The database of a server; opened when it is first used. @param config  with the final path of the work file */
export function openWorkDatabase(config: Pick<Config, 'domains'>): WorkDatabase {
  return new SqliteWorkDatabase({ file: config.domains.workFile, creates: true });
}
