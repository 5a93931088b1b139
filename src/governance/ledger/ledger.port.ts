import type { Scope } from '../../core/scope.js';
import type { CallOutcome, RecordedEvent } from './ledger-event.js';
import type { LedgerLine, LedgerMark, LedgerVerification, RunPage } from './ledger-line.js';

/** Max lines that one query returns. */
export const MAX_LEDGER_LINES = 1_000;

/** Selects lines. */
export interface LedgerQuery {
  /** Only lines of this run. */
  readonly runId?: string;
  /** Only lines after this sequence number. */
  readonly after?: number;
  /** Only lines before this sequence number. */
  readonly before?: number;
  /** `oldest`: the first lines that match; `newest`: the last ones. */
  readonly from: 'oldest' | 'newest';
  /** 1 to 1,000. */
  readonly limit: number;
}

/** Max runs that one query returns. */
export const MAX_LEDGER_RUNS = 100;

/** Max lines of a run that a query with a scope reads. */
export const MAX_SCOPED_LINES = 5_000;

/** Selects runs. Without filters, all of them. */
export interface RunQuery {
  readonly principal?: string;
  readonly agent?: string;
  /** Only runs with a call of this outcome. */
  readonly outcome?: CallOutcome;
  /** Only runs whose last line is not older; ISO-8601, UTC. */
  readonly from?: string;
  /** Only runs whose last line is older; ISO-8601, UTC. */
  readonly until?: string;
  /**
   * Only runs with a line that is recorded within this scope. Times and outcomes are those of such lines, among the last
   * `MAX_SCOPED_LINES` of the run.
   */
  readonly scope?: Scope;
  /** Only runs whose last line is before this sequence number. */
  readonly before?: number;
  /** 1 to 100. */
  readonly limit: number;
}

/** How lines are appended. */
export interface AppendOptions {
  /** True: the promise resolves when the lines would survive a power failure. False: lines are batched. */
  readonly durable: boolean;
}

/**
 * The append-only record of calls and configuration changes. Several processes may append to one ledger;
 * their lines form one chain.
 */
export abstract class Ledger {
  /**
   * Appends events in order, all or none. Batched events resolve at once and are stored within 100 ms; a killed process
   * loses those that are not stored yet. A durable append without events checks that the ledger can be continued.
   * @throws BackendUnavailableError `ledger_busy`, `ledger_not_writable`, `ledger_damaged`, `ledger_other_secret`,
   *   `ledger_incompatible`, `ledger_closed`, `ledger_lost`; for batched events only if it is closed or too many wait
   */
  abstract append(events: readonly RecordedEvent[], options: AppendOptions): Promise<void>;
  /** Stores all batched events. @throws BackendUnavailableError */
  abstract flush(): Promise<void>;
  /** The last line; null for an empty ledger. @throws BackendUnavailableError */
  abstract head(): Promise<LedgerMark | null>;
  /** Lines by sequence number, ascending; [] for no match. @throws BackendUnavailableError */
  abstract lines(query: LedgerQuery): Promise<LedgerLine[]>;
  /**
   * Runs by their last line, newest first. It reads a limited number of lines, so a page may have fewer runs than
   * `limit`, or none, although `older` runs follow. Times of lines may be out of order by a few ms; a run so close to
   * `from` or `until` may be missing.
   * @throws BackendUnavailableError
   */
  abstract runs(query: RunQuery): Promise<RunPage>;
  /**
   * Checks every line and the signed head. Appending continues meanwhile.
   * @param mark  noted earlier; also checks that the ledger still contains it, or has removed it by a checkpoint
   */
  abstract verify(mark?: LedgerMark): Promise<LedgerVerification>;
  /**
   * Removes the lines before the first one that is not older than `time`, and appends checkpoints.
   * @param time  ISO-8601, UTC
   * @returns number of lines that were removed
   */
  abstract removeBefore(time: string): Promise<number>;
  /** Stores all batched events and closes the ledger. */
  abstract close(): Promise<void>;
}
