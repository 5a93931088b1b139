import type { CallOutcome } from './ledger-event.js';

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
