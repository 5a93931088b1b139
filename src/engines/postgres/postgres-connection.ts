import type { Client } from 'pg';
import { outsideOfCalls } from '../../core/call-signal.js';
import { newQueue } from '../../core/turns/queue.js';
import { Backend } from '../backend.js';
import {
  explainPostgres,
  isTransientPostgres,
  PostgresBroken,
  unreachable,
  waitedTooLong,
} from './postgres-failure.js';
import { type PostgresPool, type PostgresRow, runOn, type RunSql } from './postgres-pool.js';

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

/** Transactions of one store that are begun or wait for a connection; fewer than the pool has, so that none takes all. */
const MAX_BEGUN = 16;

const ignore = (): void => undefined;
const explain = (error: unknown): never => {
  throw explainPostgres(error);
};

/** Transactions of one store on a PostgreSQL database; connects with the first one. */
export class PostgresConnection {
  private readonly backend: Backend;
  /** Only one of its transactions waits for a lock, so that readers have connections. */
  private readonly inTurn = newQueue();
  private isClosed = false;

  constructor(private readonly pool: PostgresPool) {
    pool.join();
    this.backend = new Backend({
      name: 'postgres',
      title: 'PostgreSQL',
      timeoutMs: pool.options.timeoutMs,
      concurrency: MAX_BEGUN,
      isTransient: isTransientPostgres,
    });
  }

  /** Runs statements that only read; retried after temporary failures, and cancelled with their call. */
  read<T>(work: (run: RunSql) => Promise<T>): Promise<T> {
    return this.backend.read((signal) => this.use(signal, work)).catch(explain);
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
    return outsideOfCalls(() => this.backend.write((signal) => this.use(signal, transact)).catch(explain));
  }

  /**
   * As `write`, after those that this process began before.
   * @throws BackendUnavailableError also if they took all of its time
   */
  writeInTurn<T>(begin: string, work: (run: RunSql) => Promise<T>): Promise<T> {
    const until = performance.now() + this.pool.options.timeoutMs;
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
      client = await this.pool.connectAlone();
      const run = runOn(client);
      await this.pool.prepare(run);
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
    if (this.isClosed) return;
    this.isClosed = true;
    await this.pool.leave();
  }

  private async use<T>(signal: AbortSignal, work: (run: RunSql) => Promise<T>): Promise<T> {
    if (this.isClosed) throw new PostgresBroken('closed by Pith');
    const client = await this.pool.checkOut(signal);
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
      await this.pool.prepare(run);
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
}
