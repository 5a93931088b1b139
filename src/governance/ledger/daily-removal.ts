const DAY_MS = 86_400_000;
/** Delay after a failure. */
const RETRY_MS = 3_600_000;

export interface WorkClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls `work` after a time (ms), unless the returned function is called before. Must not keep the process alive. */
  readonly after: (ms: number, work: () => void) => () => void;
}

/** The clock of the process. */
export const PROCESS_CLOCK: WorkClock = {
  now: Date.now,
  after: (ms, work) => {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

interface RemovalOptions {
  /** Removes what is older than a time (ms since the epoch). */
  readonly remove: (beforeMs: number) => Promise<unknown>;
  /** Days to keep; 0 keeps all. */
  readonly days: number;
  /** Default: that of the process. */
  readonly clock?: WorkClock;
  readonly onFailure: (error: unknown) => void;
}

/** Removes what is old at the start and then once a day. Several processes may do this on one store. */
export class DailyRemoval {
  private cancel: () => void = () => undefined;
  private isStopped = false;

  constructor(private readonly options: RemovalOptions) {}

  start(): this {
    if (this.options.days > 0) void this.run();
    return this;
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
  }

  private async run(): Promise<void> {
    const { remove, days, clock = PROCESS_CLOCK, onFailure } = this.options;
    let next = DAY_MS;
    try {
      await remove(clock.now() - days * DAY_MS);
    } catch (error) {
      // The store is closed while the server stops.
      if (!this.isStopped) onFailure(error);
      next = RETRY_MS;
    }
    if (!this.isStopped) this.cancel = clock.after(next, () => void this.run());
  }
}
