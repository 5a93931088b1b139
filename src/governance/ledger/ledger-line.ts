import type { Scope } from '../../core/scope.js';
import type { CallOutcome, LedgerEvent } from './ledger-event.js';

/** A run: all lines with one run id. */
export interface LedgerRun {
  readonly runId: string;
  /** The owner of the run, and the agent of its first call; from the first line that is kept. */
  readonly principal: string;
  readonly agent: string;
  /** Times of the first and the last line; ISO-8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Sequence number of the last line. */
  readonly lastSeq: number;
  /** Number of calls by outcome; outcomes of no call are absent. */
  readonly outcomes: Readonly<Partial<Record<CallOutcome, number>>>;
}

/** Runs by their last line, newest first. */
export interface RunPage {
  readonly runs: readonly LedgerRun[];
  /** `before` of the next page; null if there is none. */
  readonly older: number | null;
}

/** A position in the ledger: a line and its hash. */
export interface LedgerMark {
  readonly seq: number;
  /** HMAC-SHA-256, base64url. */
  readonly hash: string;
}

/** One line of the ledger. */
export interface LedgerLine extends LedgerMark {
  /** When the event was appended; ISO-8601, UTC. Lines of several processes may be out of order by a few ms. */
  readonly time: string;
  readonly event: LedgerEvent;
  /** Hash of the line before. */
  readonly previous: string;
}

/** Reasons why a ledger fails verification. */
export type LedgerDamage =
  /** The line is not what the ledger wrote: changed, added, or moved. */
  | 'changed'
  /** The line does not follow the line before it. */
  | 'unlinked'
  /** Lines are missing, and no checkpoint accounts for them. */
  | 'missing'
  /** Lines are missing at the end. */
  | 'cut'
  /** There are more lines than the signed head says. */
  | 'added'
  /** The signed head is missing, changed, or does not match the last line. */
  | 'head'
  /** A line or the file can't be read. */
  | 'unreadable'
  /** The lines are intact, but the file around them is damaged, so that queries may miss lines. */
  | 'file'
  /** The ledger was written with another server secret. */
  | 'other_secret'
  /** A mark that was noted earlier is not in the ledger. */
  | 'mark';

/** The result of a verification. */
export type LedgerVerification =
  | {
      readonly isIntact: true;
      /** Number of lines that were verified. */
      readonly lines: number;
      /** First line that is kept; null for an empty ledger. */
      readonly first: number | null;
      /** Last line; null for an empty ledger. */
      readonly head: LedgerMark | null;
    }
  | {
      readonly isIntact: false;
      /** Number of lines before the first bad one. */
      readonly lines: number;
      /** Sequence number of the first bad or missing line. */
      readonly badSeq: number;
      readonly damage: LedgerDamage;
      /** The damage in one sentence. */
      readonly message: string;
    };

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
