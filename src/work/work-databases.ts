import type { Config } from '../config/config.js';
import { newQueue } from '../core/turns/queue.js';
import { openPostgres } from '../engines/postgres/open-postgres.js';
import { beginLocked, type PostgresConnection } from '../engines/postgres/postgres-connection.js';
import type { RunSql } from '../engines/postgres/postgres-pool.js';
import type { Database } from '../sqlite/driver.js';
import type { StoreKind } from '../sqlite/stores/store-failures.js';
import { StoreFile, type StorePlace } from '../sqlite/stores/store-file.js';
import { CLAIM_TABLES } from './claims/claim-store.js';
import { CORPUS_TABLES } from './corpora/corpus-store.js';
import { QUESTION_TABLES } from './questions/question-store.js';
import { RUN_TABLES } from './runs/run-store.js';
import { SCHEMA_TABLES } from './schemas/schema-store.js';
import { ARTIFACT_TABLES } from './substrate/artifacts/artifact-rows.js';
import { MANIFEST_TABLES } from './substrate/manifests/manifest-store.js';
import { POINTER_TABLES } from './substrate/pointers/pointer-store.js';
import { USAGE_TABLE } from './substrate/substrate-usage.js';
import { type Sql, WorkDatabase } from './work-database.port.js';

/** The file of what the tools of MCP_DOMAINS store. Its application id is "Pitw". */
export const WORK_STORE: StoreKind = {
  id: 0x50697477,
  version: 1,
  name: 'work store',
  reason: 'work_store',
  setting: 'PITH_WORK_FILE',
};

const TABLES = [
  ...[RUN_TABLES, SCHEMA_TABLES, USAGE_TABLE, ARTIFACT_TABLES, MANIFEST_TABLES, POINTER_TABLES],
  ...[CLAIM_TABLES, CORPUS_TABLES, QUESTION_TABLES],
].join(';');

const statementsOn =
  (database: Database): Sql =>
  async (statement, values = {}) =>
    database.prepare(statement).all(values);

/** One SQLite file. Its statements run in the main thread, because work is rare and short. */
export class SqliteWorkDatabase extends WorkDatabase {
  private readonly file: StoreFile;
  /** Transactions of this process share a connection. */
  private readonly inTurn = newQueue();
  /** Only one of them waits for a locked file, so that readers have their turn meanwhile. */
  private readonly afterWriters = newQueue();

  constructor(place: Pick<StorePlace, 'file' | 'creates'>) {
    super();
    this.file = new StoreFile({ kind: WORK_STORE, ...place, tables: TABLES });
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
    return this.afterWriters(() => this.inTurn(async () => this.file.close()));
  }

  private transact<T>(
    work: (sql: Sql) => Promise<T>,
    begin: 'BEGIN' | 'BEGIN IMMEDIATE',
    since = performance.now(),
  ): Promise<T> {
    const { inTurn } = this;
    return this.file.transaction((database) => work(statementsOn(database)), { begin, since, inTurn });
  }
}

const IN_SCHEMA = 'SET LOCAL search_path = pith';
const BEGIN_READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${IN_SCHEMA}`;
// Transactions of agents' work are many and short, so one waits for the others in line.
const BEGIN_WRITE = `${beginLocked('work', 'all')}; ${IN_SCHEMA}`;

const NOW = 'SELECT CAST(1000 * extract(epoch FROM clock_timestamp()) AS bigint) AS now';

/** Numbers the values of a statement: `$1` stands for the first name. */
function numbered(statement: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const text = statement.replace(/:(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

/** PostgreSQL can't store NUL in texts. As lone surrogates are, it is replaced. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

const statementsWith =
  (run: RunSql): Sql =>
  (statement, values = {}) => {
    const { text, names } = numbered(statement);
    return run(
      text,
      names.map((name) => storable(values[name])),
    );
  };

/** Tables in PostgreSQL, shared by all replicas. Only one process changes them at a time. */
export class PostgresWorkDatabase extends WorkDatabase {
  constructor(private readonly connection: PostgresConnection) {
    super();
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.connection.read(async (run) => {
      await run(BEGIN_READ);
      const result = await work(statementsWith(run));
      await run('COMMIT');
      return result;
    });
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.connection.writeInTurn(BEGIN_WRITE, (run) => work(statementsWith(run)));
  }

  async now(sql: Sql): Promise<number> {
    const [row] = await sql(NOW);
    return Number(row?.['now']);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/**
 * The database of a server or a command; opened when it is first used.
 * @param config  with the final path of the work file
 * @param use  a server creates what is missing
 */
export function openWorkDatabase(
  config: Pick<Config, 'backends' | 'domains'>,
  use: 'server' | 'command' = 'server',
): WorkDatabase {
  if (config.backends.database !== '') return new PostgresWorkDatabase(openPostgres(config, use, 'database'));
  return new SqliteWorkDatabase({ file: config.domains.workFile, creates: use === 'server' });
}
