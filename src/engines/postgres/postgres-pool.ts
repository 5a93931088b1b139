import type { Client, ClientBase, PoolClient, PoolConfig } from 'pg';
import { unlessAborted } from '../../core/call-signal.js';
import { fromDriver } from './postgres-failure.js';

/** Connections of one process to one database, for all stores there. */
const MAX_CONNECTIONS = 20;
/** A silent connection is tested after this time (ms). */
const KEEP_ALIVE_MS = 10_000;
/** The longest pause within a transaction without a time limit. The server ends one whose client is gone (ms). */
const MAX_PAUSE_MS = 600_000;

/** The int8 type. Our numbers are far below 2^53. */
const INT8 = 20;

/** A row of a result, by column name. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** Runs a statement and returns the rows of its result; without values, of the last of several statements. */
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<PostgresRow[]>;

export interface PostgresOptions {
  /** `postgres://` URL with user, password, database and TLS parameters. */
  readonly url: string;
  /** Time limit of a transaction (ms). The server also ends statements and transactions that take longer. */
  readonly timeoutMs: number;
  /**
   * Runs before the first transaction of the pool, and again after a failure. Not later: servers of a newer version may
   * migrate the tables meanwhile.
   */
  readonly prepare: (run: RunSql) => Promise<void>;
}

type Pool = InstanceType<(typeof import('pg'))['Pool']>;

const ignore = (): void => undefined;

export function runOn(client: ClientBase): RunSql {
  return async (sql, values) => {
    try {
      const answer: unknown = await client.query(sql, values ? [...values] : undefined);
      const result = Array.isArray(answer) ? answer.at(-1) : answer;
      return result.rows;
    } catch (error) {
      throw fromDriver(error);
    }
  };
}

/** The connections to a database; the first one is opened when it is needed. */
export class PostgresPool {
  private opening: Promise<Pool> | null = null;
  private isPrepared = false;
  private users = 0;

  constructor(readonly options: PostgresOptions) {}

  join(): void {
    this.users++;
  }

  /** Closes the connections after the last user. A later one opens them again. */
  async leave(): Promise<void> {
    this.users--;
    if (this.users > 0) return;
    const opening = this.opening;
    this.opening = null;
    this.isPrepared = false;
    await opening?.then((pool) => pool.end()).catch(ignore);
  }

  /** Prepares the database if that was not done yet. */
  async prepare(run: RunSql): Promise<void> {
    if (!this.isPrepared) await this.options.prepare(run);
    this.isPrepared = true;
  }

  async checkOut(signal: AbortSignal): Promise<PoolClient> {
    const pool = await (this.opening ??= this.open());
    let connecting: Promise<PoolClient> | null = null;
    try {
      // Throws for parameters that the library can't use, such as a certificate file that does not exist.
      connecting = pool.connect();
      return await unlessAborted(signal, connecting);
    } catch (error) {
      connecting?.then((client) => client.release(), ignore);
      throw signal.aborted ? error : fromDriver(error);
    }
  }

  /** A connection beside the others, without time limits. @throws PostgresBroken, PostgresRefusal */
  async connectAlone(): Promise<Client> {
    const library = await import('pg');
    try {
      const client = new library.Client({
        ...(await this.settings()),
        statement_timeout: 0,
        lock_timeout: 0,
        // Between two statements, files are read and written.
        idle_in_transaction_session_timeout: MAX_PAUSE_MS,
      });
      client.on('error', ignore);
      await client.connect();
      return client;
    } catch (error) {
      throw fromDriver(error);
    }
  }

  private async open(): Promise<Pool> {
    const { Pool } = await import('pg');
    const pool = new Pool(await this.settings());
    // Errors of idle connections. Requests on other connections fail themselves.
    pool.on('error', ignore);
    pool.on('connect', (client) => void client.on('error', ignore));
    return pool;
  }

  private async settings(): Promise<PoolConfig> {
    const { types } = await import('pg');
    const { url: connectionString, timeoutMs } = this.options;
    return {
      connectionString,
      application_name: 'pith',
      max: MAX_CONNECTIONS,
      allowExitOnIdle: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: timeoutMs,
      statement_timeout: timeoutMs,
      idle_in_transaction_session_timeout: timeoutMs,
      lock_timeout: Math.ceil(timeoutMs / 4),
      types: {
        getTypeParser: (type: number, format?: 'text' | 'binary') =>
          type === INT8 && format !== 'binary' ? Number : types.getTypeParser(type, format),
      } as PoolConfig['types'],
    };
  }
}
