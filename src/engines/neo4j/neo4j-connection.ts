import { performance } from 'node:perf_hooks';
import type { Driver, Session } from 'neo4j-driver';
import { BackendUnavailableError, codeIn, DeadlineExceededError } from '../../core/errors.js';
import { Backend, type BackendLimits } from '../backend.js';

const GONE = new Set(['ServiceUnavailable', 'SessionExpired', 'ProtocolError', 'N/A']);
/** Node's errors for a truncated answer; the driver passes them on. */
const TRUNCATED = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** True for temporary failures of Neo4j or the connection. */
export function isTransient(error: unknown): boolean {
  const code = codeIn(error);
  // 'N/A' is the driver's code for a full pool and for unreadable answers.
  if (GONE.has(code) || TRUNCATED.has(code)) return true;
  return code.startsWith('Neo.TransientError.') || code === 'Neo.DatabaseError.General.UnknownError';
}

/** Explains errors about credentials, database and timeout with our own message; returns others unchanged. */
export function neo4jFailure(error: unknown): unknown {
  const code = codeIn(error);
  if (code.startsWith('Neo.ClientError.Security.') || code === 'Neo.ClientError.Database.DatabaseNotFound') {
    const message = 'Neo4j rejected the user or password, or does not have this database.';
    const hint = 'The operator should check PITH_NEO4J_USER, PITH_NEO4J_PASSWORD and PITH_NEO4J_DATABASE.';
    return new BackendUnavailableError(message, { reason: 'neo4j', hint, cause: error });
  }
  if (code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut')) {
    return new DeadlineExceededError('Neo4j stopped a query that took too long.', {
      reason: 'neo4j',
      hint: 'Use fewer relations or hops. The operator can raise PITH_BACKEND_TIMEOUT_MS.',
      cause: error,
    });
  }
  return error;
}

/** Address, credentials and limits of a Neo4j connection. The server also enforces the time limit. */
export interface Neo4jOptions extends BackendLimits {
  /** `bolt://`, `neo4j://`, or with `+s` for TLS. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** A result row, by column name. */
export type Neo4jRow = Readonly<Record<string, unknown>>;

/**
 * Runs a statement in the transaction, with its parameters in the map `$given`. Statements may be sent without awaiting
 * the previous one. A map is used because Neo4j plans a statement again for each type and order of magnitude of its
 * parameters (5.26: up to .3 s each), but ignores values inside a map.
 */
export type RunCypher = (cypher: string, values: Readonly<Record<string, unknown>>) => Promise<Neo4jRow[]>;

type Library = Pick<typeof import('neo4j-driver'), 'driver' | 'auth' | 'int'>;

interface Opened {
  readonly library: Library;
  readonly driver: Driver;
}

/** Converts integers to Neo4j's type; a plain JavaScript number would be stored as a float. */
function toValue(library: Library, value: unknown): unknown {
  if (Number.isInteger(value)) return library.int(Number(value));
  if (Array.isArray(value)) return value.map((each) => toValue(library, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toValue(library, each)]));
}

/** Transactions on one Neo4j database; connects with the first one. */
export class Neo4jConnection {
  private readonly backend: Backend;
  private opened: Promise<Opened> | null = null;

  constructor(private readonly options: Neo4jOptions) {
    const { timeoutMs, concurrency, isIndexing = false } = options;
    const limits = { timeoutMs, concurrency, isIndexing };
    this.backend = new Backend({ name: 'neo4j', title: 'Neo4j', ...limits, isTransient });
  }

  /** Runs one read transaction; retried after temporary failures. */
  read<T>(work: (run: RunCypher) => Promise<T>): Promise<T> {
    return this.backend.read((signal) => this.transact('READ', signal, work));
  }

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
    // Closing the session also ends the running statement on the server.
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

  /** Replaces the driver, because unanswered connections fill its pool forever. Running transactions may finish. */
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
      // `Backend` retries.
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
    await opened?.then(({ driver }) => driver.close()).catch(() => undefined);
  }
}

/** Closes a session. Errors are ignored: the connection is gone then. */
const closed = (session: Session): Promise<void> => session.close().catch(() => undefined);
