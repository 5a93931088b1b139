import type { LedgerEntry } from '../ledger-chain.js';
import type {
  LedgerLine,
  LedgerMark,
  LedgerQuery,
  LedgerVerification,
  RunPage,
  RunQuery,
} from '../ledger-line.js';

/** A removal of old lines by retention. */
export interface Removal {
  /** Lines before the first one that is not older than this are removed. */
  readonly before: string;
  /** Max lines to remove at once, so that other processes need not wait for long. */
  readonly limit: number;
  /** Time of the checkpoint; ISO-8601, UTC. */
  readonly time: string;
}

/** Where the lines of a ledger are stored. One attempt each: a ledger that others lock fails with `ledger_busy`. */
export interface LedgerStore {
  /**
   * Appends lines, all or none. No lines: only checks that lines can follow the head.
   * @param isDurable  resolves when the lines would survive a power failure
   */
  append(entries: readonly LedgerEntry[], isDurable: boolean): Promise<void>;
  head(): Promise<LedgerMark | null>;
  lines(query: LedgerQuery): Promise<LedgerLine[]>;
  runs(query: RunQuery): Promise<RunPage>;
  /**
   * Removes old lines and appends a checkpoint. Lines that do not verify are kept.
   * @returns number of lines that were removed
   */
  remove(removal: Removal): Promise<number>;
  /** Checks every line of one state of the ledger, while appending continues. */
  verify(mark?: LedgerMark): Promise<LedgerVerification>;
  close(): Promise<void>;
}
