import { performance } from 'node:perf_hooks';
import type { Driver, Session } from 'neo4j-driver';
import { Backend } from '../backend.js';
import { isTransient, neo4jFailure } from './neo4j-failure.js';

/** Where Neo4j is, and how it is asked. */
export interface Neo4jOptions {
  /** `bolt://`, `neo4j://`, or with `+s` for TLS. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** How long one transaction may take (ms); the server ends it then, too. */
  readonly timeoutMs: number;
  /** Transactions at a time, which is also how many connections there are. */
  readonly concurrency: number;
}

/** A row of an answer, by the names that the statement returns. */
export type Neo4jRow = Readonly<Record<string, unknown>>;

/**
 * Runs a statement in the transaction; it finds its values in `$given`. Statements may be sent without waiting for the one
 * before. Neo4j plans a statement anew for each type and order of size that its parameters have (5.26: up to .3 s each),
 * but looks at none that is in a map.
 */
export type RunCypher = (cypher: string, values: Readonly<Record<string, unknown>>) => Promise<Neo4jRow[]>;

type Library = Pick<typeof import('neo4j-driver'), 'driver' | 'auth' | 'int'>;

interface Opened {
  readonly library: Library;
  readonly driver: Driver;
}

/** Whole numbers as Neo4j keeps them: a number of JavaScript would become a fraction there. */
function toValue(library: Library, value: unknown): unknown {
  if (Number.isInteger(value)) return library.int(Number(value));
  if (Array.isArray(value)) return value.map((each) => toValue(library, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toValue(library, each)]));
}

/** Transactions on one Neo4j database; connects with the first of them. */
export class Neo4jConnection {
  private readonly backend: Backend;
  private opened: Promise<Opened> | null = null;

  constructor(private readonly options: Neo4jOptions) {
    const { timeoutMs, concurrency } = options;
    this.backend = new Backend({ name: 'neo4j', title: 'Neo4j', timeoutMs, concurrency, isTransient });
  }

  /** One read transaction, begun anew where it failed in a way that may pass. */
  read<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return this.backend.read((signal) => this.transact('READ', signal, work));
  }

  /** One write transaction. */
  write<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return this.backend.write((signal) => this.transact('WRITE', signal, work));
  }

  private async transact<T>(
    defaultAccessMode: 'READ' | 'WRITE',
    signal: AbortSignal,
    work: (run: RunCypher) => Promise<T>,
  ): Promise<T> {
    const opening = (this.opened ??= this.open());
    const { library, driver } = await opening;
    signal.throwIfAborted();
    const begunAt = performance.now();
    const session = driver.session({ database: this.options.database, defaultAccessMode });
    // Closing ends on the server, too, what runs there.
    const stop = (): void => {
      void closed(session);
      if (performance.now() - begunAt >= this.options.timeoutMs * 0.9) this.retire(opening);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const transaction = session.beginTransaction({ timeout: this.options.timeoutMs });
      const answer = await work(async (cypher, values) => {
        const { records } = await transaction.run(cypher, { given: toValue(library, values) });
        return records.map((record) => record.toObject());
      });
      await transaction.commit();
      return answer;
    } catch (error) {
      throw neo4jFailure(error);
    } finally {
      signal.removeEventListener('abort', stop);
      await closed(session);
    }
  }

  /**
   * Makes the next transaction begin with a driver of its own: the pool waits without end for connections that a silent
   * server took and never let in, and is full of them in the end. What is under way may finish.
   */
  private retire(opening: Promise<Opened>): void {
    if (this.opened !== opening) return;
    this.opened = null;
    const end = (): void => void opening.then(({ driver }) => driver.close()).catch(() => undefined);
    setTimeout(end, this.options.timeoutMs).unref();
  }

  private async open(): Promise<Opened> {
    const library = await import('neo4j-driver');
    const { url, user, password, timeoutMs, concurrency } = this.options;
    const driver = library.driver(url, library.auth.basic(user, password), {
      maxConnectionPoolSize: concurrency,
      connectionAcquisitionTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      // `Backend` asks again.
      maxTransactionRetryTime: 0,
      disableLosslessIntegers: true,
      telemetryDisabled: true,
      notificationFilter: { minimumSeverityLevel: 'OFF' },
      userAgent: 'pith',
    });
    return { library, driver };
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    // What was never opened is closed.
    await opened?.then(({ driver }) => driver.close()).catch(() => undefined);
  }
}

/** What does not close is gone already. */
async function closed(session: Session): Promise<void> {
  try {
    await session.close();
  } catch {
    return;
  }
}
