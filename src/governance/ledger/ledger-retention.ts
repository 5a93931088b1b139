import type { Ledger } from '../../core/ports/ledger.port.js';

const DAY_MS = 86_400_000;
/** Delay after a failure. */
const RETRY_MS = 3_600_000;

export interface RetentionClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `work` after a time (ms), unless the returned function is called before. Must not keep the process alive. */
  readonly after: (ms: number, work: () => void) => () => void;
}

/** The clock of the process. */
export const RETENTION_CLOCK: RetentionClock = {
  now: Date.now,
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

interface RetentionOptions {
  /** Days to keep lines; 0 keeps all. */
  readonly days: number;
  readonly clock: RetentionClock;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Removes old lines at the start and then once a day. Several processes may do this on one ledger: lines are removed in
 * transactions, and a process that finds no old lines appends nothing.
 */
export class LedgerRetention {
  private cancel: () => void = () => undefined;
  private isStopped = false;

  constructor(
    private readonly ledger: Pick<Ledger, 'removeBefore'>,
    private readonly options: RetentionOptions,
  ) {}

  start(): void {
    if (this.options.days > 0) void this.remove();
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
  }

  private async remove(): Promise<void> {
    const { days, clock, onFailure } = this.options;
    let next = DAY_MS;
    try {
      await this.ledger.removeBefore(new Date(clock.now() - days * DAY_MS).toISOString());
    } catch (error) {
      // The ledger is closed while the server stops.
      if (!this.isStopped) onFailure(error);
      next = RETRY_MS;
    }
    if (!this.isStopped) this.cancel = clock.after(next, () => void this.remove());
  }
}
