import type { Client, ClientBase, PoolClient, PoolConfig } from 'pg';
import { outsideOfCalls, unlessAborted } from '../../core/call-signal.js';
import { newQueue } from '../../core/turns/queue.js';
import { Backend } from '../backend.js';
import {
  explainPostgres,
  fromDriver,
  isTransientPostgres,
  PostgresBroken,
  unreachable,
  waitedTooLong,
} from './postgres-failure.js';

/** Locks of this program on the database, held until the end of a transaction. The numbers are the same in all versions. */
const LOCKS = {
  schema: 7_233_041,
  ledger: 7_233_042,
  governance: 7_233_043,
  work: 7_233_044,
  passages: 7_233_045,
} as const;

/** SQL: the key of a lock. @param part  SQL of a text; each text has a lock of its own. Empty: one lock for all */
export const lockKey = (lock: keyof typeof LOCKS, part = ''): string =>
  part === '' ? `${LOCKS[lock]}` : `${LOCKS[lock]}, hashtext(${part})`;

/**
 * Statements that begin a transaction which no other process runs at the same time. It sees what was committed before it
 * had the lock, whatever isolation the server has as default. Its commit reaches the disk, also
 * where the server does not wait for it by default.
 * @param wait  how long others are waited for: a quarter of the time limit, or all of it
 * @param part  as in `lockKey`
 */
export function beginLocked(
  lock: keyof typeof LOCKS,
  wait: 'quarter' | 'all' = 'quarter',
  part = '',
): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    ${wait === 'all' ? 'SET LOCAL lock_timeout = 0;' : ''}
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT pg_advisory_xact_lock(${lockKey(lock, part)})`;
}

/** Connections of one process to one database. */
const MAX_CONNECTIONS = 4;
/** Transactions that are begun or wait for a connection. Four times as many wait in a queue, as for other engines. */
const MAX_BEGUN = 16;

/** A row of a result, by column name. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** Runs a statement and returns the rows of its result; without values, of the last of several statements. */
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<PostgresRow[]>;

export interface PostgresOptions {
  /** `postgres://` URL with user, password, database and TLS parameters. */
  readonly url: string;
  /** Time limit of a transaction (ms). The server also ends statements and transactions that take longer. */
  readonly timeoutMs: number;
  /** Runs once before the first transaction, and again after a failure. */
  readonly prepare: (run: RunSql) => Promise<void>;
}

type Library = typeof import('pg');
type Pool = InstanceType<Library['Pool']>;

/** A silent connection is tested after this time (ms). */
const KEEP_ALIVE_MS = 10_000;
/** The longest pause within a transaction without a time limit. The server ends one whose client is gone (ms). */
const MAX_PAUSE_MS = 600_000;

/** The int8 type. Our numbers are far below 2^53. */
const INT8 = 20;

const ignore = (): void => undefined;

function runOn(client: ClientBase): RunSql {
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

/** Transactions on one PostgreSQL database; connects with the first one. */
export class PostgresConnection {
  private readonly backend: Backend;
  private opening: Promise<Pool> | null = null;
  /** Only one of its transactions waits for a lock, so that readers have connections. */
  private readonly inTurn = newQueue();
  private isPrepared = false;
  private isClosed = false;

  constructor(private readonly options: PostgresOptions) {
    this.backend = new Backend({
      name: 'postgres',
      title: 'PostgreSQL',
      timeoutMs: options.timeoutMs,
      concurrency: MAX_BEGUN,
      isTransient: isTransientPostgres,
    });
  }

  /** Runs statements that only read; retried after temporary failures, and cancelled with their call. */
  read<T>(work: (run: RunSql) => Promise<T>): Promise<T> {
    return explained(this.backend.read((signal) => this.use(signal, work)));
  }

  /**
   * Runs one transaction. It is not cancelled with its call, because it would be unknown if it took effect.
   * @param begin  statements that begin the transaction
   * @param work  gets the rows of the last of them
   */
  write<T>(begin: string, work: (run: RunSql, begun: PostgresRow[]) => Promise<T>): Promise<T> {
    const transact = async (run: RunSql): Promise<T> => {
      const result = await work(run, await run(begin));
      await run('COMMIT');
      return result;
    };
    return outsideOfCalls(() => explained(this.backend.write((signal) => this.use(signal, transact))));
  }

  /**
   * As `write`, after those that this process began before.
   * @throws BackendUnavailableError also if they took all of its time
   */
  writeInTurn<T>(begin: string, work: (run: RunSql) => Promise<T>): Promise<T> {
    const until = performance.now() + this.options.timeoutMs;
    return this.inTurn(() => {
      if (performance.now() > until) throw waitedTooLong();
      return this.write(begin, work);
    });
  }

  /** Runs statements on one state of the database, without a time limit, on a connection that nothing else uses. */
  snapshot<T>(work: (run: RunSql) => Promise<T>): Promise<T> {
    return this.alone('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
  }

  /** Runs one transaction, without a time limit, on a connection that nothing else uses. */
  async alone<T>(begin: string, work: (run: RunSql) => Promise<T>): Promise<T> {
    let client: Client | null = null;
    try {
      client = await this.connectAlone();
      const run = runOn(client);
      await this.options.prepare(run);
      await run(begin);
      const result = await work(run);
      await run('COMMIT');
      return result;
    } catch (error) {
      throw isTransientPostgres(error) ? unreachable(error) : explainPostgres(error);
    } finally {
      await client?.end().catch(ignore);
    }
  }

  async close(): Promise<void> {
    await this.inTurn(async () => undefined);
    this.isClosed = true;
    const pool = await this.opening?.catch(() => null);
    this.opening = null;
    await pool?.end().catch(ignore);
  }

  /** @throws PostgresBroken, PostgresRefusal */
  private async connectAlone(): Promise<Client> {
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

  private async use<T>(signal: AbortSignal, work: (run: RunSql) => Promise<T>): Promise<T> {
    const client = await this.checkOut(signal);
    const run = runOn(client);
    let isBack = false;
    const putBack = (isBroken: boolean): void => {
      if (!isBack) client.release(isBroken);
      isBack = true;
    };
    // Closing the connection ends the transaction.
    const stop = (): void => putBack(true);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.prepare(run);
      return await work(run);
    } catch (error) {
      if (error instanceof PostgresBroken) putBack(true);
      else await run('ROLLBACK').catch(stop);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      putBack(false);
    }
  }

  private async prepare(run: RunSql): Promise<void> {
    if (!this.isPrepared) await this.options.prepare(run);
    this.isPrepared = true;
  }

  private async checkOut(signal: AbortSignal): Promise<PoolClient> {
    if (this.isClosed) throw new PostgresBroken('closed by Pith');
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

async function explained<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw explainPostgres(error);
  }
}
