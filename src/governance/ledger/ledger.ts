import { setTimeout as pause } from 'node:timers/promises';
import { BackendUnavailableError } from '../../core/errors.js';
import { eventText } from './event-text.js';
import type { LedgerEntry } from './ledger-chain.js';
import type { RecordedEvent } from './ledger-event.js';
import type {
  AppendOptions,
  LedgerLine,
  LedgerMark,
  LedgerQuery,
  LedgerVerification,
  RunPage,
  RunQuery,
} from './ledger-line.js';
import type { LedgerStore } from './store/ledger-store.js';

/** How long work on a ledger waits for other processes, and the delay between two attempts (ms). */
const BUSY_LIMIT_MS = 5_000;
const BUSY_PAUSE_MS = 2;

const isBusyFailure = (error: unknown): boolean =>
  error instanceof BackendUnavailableError && error.reason === 'ledger_busy';

/** Repeats work on a ledger that other processes lock. @throws BackendUnavailableError `ledger_busy` after 5 s */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusyFailure(error) || performance.now() > until) throw error;
    }
    await pause(BUSY_PAUSE_MS);
  }
}

/** For events that are not accepted because the queue is full. */
function ledgerFull(cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError('Too many lines wait because the ledger cannot be written.', {
    reason: 'ledger_not_writable',
    hint: 'The server log has the cause. Calls are recorded again once the ledger can be written.',
    cause,
  });
}

/** Batched events that could not be stored before the ledger was closed. */
function linesLost(count: number, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The ledger was closed before ${count} lines could be written.`, {
    reason: 'ledger_not_writable',
    hint: 'Make the ledger writable before the server starts again.',
    cause,
  });
}

/** The ledger was used after it was closed. */
function ledgerClosed(): BackendUnavailableError {
  return new BackendUnavailableError('The ledger is closed.', {
    reason: 'ledger_closed',
    hint: 'The server is stopping. Send the call to another server, or try again.',
  });
}

/** How long batched events wait for others (ms). Writing them takes some more, at most 100 ms in all. */
const BATCH_MS = 50;
/** Delay before a batch that failed is tried again (ms). */
const RETRY_MS = 250;
/** Events in one transaction. */
const MAX_BATCH = 2_000;
/** Batched events that may wait while the store can't be written. */
const MAX_WAITING = 20_000;
/** Lines that retention removes in one transaction. */
const REMOVED_AT_ONCE = 5_000;

/** Events that were appended together. */
interface Group {
  readonly size: number;
  /** Made by the first call, and then kept. */
  readonly entries: () => readonly LedgerEntry[];
  /** Null for batched events. */
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null;
}

export interface LedgerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called once when batched events can't be stored, until storing succeeds again. They are kept and tried again. */
  readonly onFailure: (error: unknown) => void;
}

const sizeOf = (groups: readonly Group[]): number => groups.reduce((sum, { size }) => sum + size, 0);

/** @param at  milliseconds since the epoch */
function entriesOf(events: readonly RecordedEvent[], at: number): LedgerEntry[] {
  const time = new Date(at).toISOString();
  return events.map((event) => ({ time, event: eventText(event) }));
}

/**
 * The append-only record of calls and configuration changes, on a store. Several processes may append to one ledger;
 * their lines form one chain. Everything that waits is written in one transaction, in the order of the calls.
 */
export class Ledger {
  private queue: Group[] = [];
  /** Number of events in the queue. */
  private queued = 0;
  private writing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** Why the last batch could not be written; null after a success. */
  private failure: unknown = null;
  /** True after a failure was reported, until writing succeeds. */
  private isReported = false;
  private isClosed = false;

  constructor(
    private readonly store: LedgerStore,
    private readonly options: LedgerOptions,
  ) {}

  /**
   * Appends events in order, all or none. Batched events resolve at once and are stored within 100 ms; a killed process
   * loses those that are not stored yet. A durable append without events checks that the ledger can be continued.
   * @throws BackendUnavailableError `ledger_busy`, `ledger_not_writable`, `ledger_damaged`, `ledger_other_secret`,
   *   `ledger_incompatible`, `ledger_closed`, `ledger_lost`; for batched events only if it is closed or too many wait
   */
  async append(events: readonly RecordedEvent[], { durable }: AppendOptions): Promise<void> {
    this.checkOpen();
    const at = this.options.now();
    const size = events.length;
    if (!durable) {
      let made: readonly LedgerEntry[] | null = null;
      // The text is made when it is written, so that the call does not wait for it.
      return this.batch({ size, entries: () => (made ??= entriesOf(events, at)), waiting: null });
    }
    const entries = entriesOf(events, at);
    await new Promise<void>((resolve, reject) => {
      this.enqueue({ size, entries: () => entries, waiting: { resolve, reject } });
      void this.write();
    });
  }

  /** Stores all batched events. @throws BackendUnavailableError */
  async flush(): Promise<void> {
    await this.writing;
    do await this.write();
    while (this.failure === null && this.queue.length > 0);
    if (this.failure !== null) throw this.failure;
  }

  /** The last line; null for an empty ledger. @throws BackendUnavailableError */
  async head(): Promise<LedgerMark | null> {
    this.checkOpen();
    return this.store.head();
  }

  /** Lines by sequence number, ascending; [] for no match. @throws BackendUnavailableError */
  async lines(query: LedgerQuery): Promise<LedgerLine[]> {
    this.checkOpen();
    return this.store.lines(query);
  }

  /**
   * Runs by their last line, newest first. It reads a limited number of lines, so a page may have fewer runs than
   * `limit`, or none, although `older` runs follow. Times of lines may be out of order by a few ms; a run so close to
   * `from` or `until` may be missing.
   * @throws BackendUnavailableError
   */
  async runs(query: RunQuery): Promise<RunPage> {
    this.checkOpen();
    return this.store.runs(query);
  }

  /**
   * Checks every line and the signed head. Appending continues meanwhile.
   * @param mark  noted earlier; also checks that the ledger still contains it, or has removed it by a checkpoint
   */
  async verify(mark?: LedgerMark): Promise<LedgerVerification> {
    this.checkOpen();
    return this.store.verify(mark);
  }

  /**
   * Removes the lines before the first one that is not older than `before`, and appends checkpoints.
   * @param before  ISO-8601, UTC
   * @returns number of lines that were removed
   */
  async removeBefore(before: string): Promise<number> {
    const removal = { before, limit: REMOVED_AT_ONCE, time: new Date(this.options.now()).toISOString() };
    for (let sum = 0; ;) {
      const removed = await patiently(async () => {
        // The ledger may have been closed meanwhile; the store would start its thread again.
        this.checkOpen();
        return this.store.remove(removal);
      });
      sum += removed;
      if (removed < REMOVED_AT_ONCE) return sum;
    }
  }

  /** Stores all batched events and closes the ledger. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    try {
      await this.flush();
    } catch (error) {
      if (this.queue.length > 0) this.options.onFailure(linesLost(this.queued, error));
    }
    if (this.timer) clearTimeout(this.timer);
    await this.store.close();
  }

  private checkOpen(): void {
    if (this.isClosed) throw ledgerClosed();
  }

  private enqueue(group: Group): void {
    this.queue.push(group);
    this.queued += group.size;
  }

  private batch(group: Group): void {
    if (this.queued + group.size > MAX_WAITING) throw ledgerFull(this.failure);
    this.enqueue(group);
    this.writeLater();
  }

  private writeLater(): void {
    const ms = this.failure === null ? BATCH_MS : RETRY_MS;
    this.timer ??= setTimeout(() => void this.write(), ms).unref();
  }

  /** Writes what waits; one batch at a time. */
  private write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    // Entries are made now: while they wait for a slow store, they need less memory than unbounded events.
    for (const { entries } of this.queue) entries();
    return (this.writing ??= this.writeQueue().finally(() => this.afterWriting()));
  }

  /** Events may have come after the last batch was taken. */
  private afterWriting(): void {
    this.writing = null;
    if (this.queue.some(({ waiting }) => waiting)) void this.write();
    else if (this.queue.length > 0 && !this.isClosed) this.writeLater();
  }

  private async writeQueue(): Promise<void> {
    do await this.writeBatch(this.nextBatch());
    while (this.failure === null && this.queue.some(({ waiting }) => waiting));
  }

  private nextBatch(): Group[] {
    let size = 0;
    const end = this.queue.findIndex((group) => (size += group.size) > MAX_BATCH);
    // A group that alone is larger is written whole.
    const batch = this.queue.splice(0, end === -1 ? this.queue.length : Math.max(1, end));
    this.queued -= sizeOf(batch);
    return batch;
  }

  private async writeBatch(batch: readonly Group[]): Promise<void> {
    const entries = batch.flatMap((group) => group.entries());
    const isDurable = batch.some(({ waiting }) => waiting);
    try {
      if (entries.length > 0 || isDurable) await patiently(() => this.store.append(entries, isDurable));
      this.failure = null;
      this.isReported = false;
      for (const { waiting } of batch) waiting?.resolve();
    } catch (error) {
      this.keep(batch, error);
    }
  }

  /**
   * Nothing of the batch was stored. Durable appends are rejected, also those that wait behind it; batched events are
   * kept and tried again.
   */
  private keep(batch: readonly Group[], error: unknown): void {
    this.failure = error;
    const groups = [...batch, ...this.queue];
    this.queue = groups.filter(({ waiting }) => !waiting);
    this.queued = sizeOf(this.queue);
    for (const { waiting } of groups) waiting?.reject(error);
    if (this.queue.length === 0 || this.isReported) return;
    this.isReported = true;
    this.options.onFailure(error);
  }
}
