/** How long a value is used before it is read again (ms). */
const FRESH_MS = 600_000;
/** How long the last value is used if it can't be read again (ms). */
const STALE_MS = 3_600_000;
/** After a read that failed, the next one waits this long (ms). */
const PAUSE_MS = 2_000;
/** Number of reads within `WINDOW_MS`: whoever sends unknown key ids must not make us ask all the time. */
const MAX_READS = 6;
const WINDOW_MS = 60_000;

/** A value of another server that is read when it is needed. If that server is down, the last value is used for an hour. */
export class Refreshed<T> {
  private value: { readonly current: T; readonly readAt: number } | null = null;
  private reading: Promise<T> | null = null;
  /** Times of the last reads. */
  private readAts: number[] = [];
  private failure: unknown = null;

  /** @param now  as `steadyNow` */
  constructor(
    private readonly read: () => Promise<T>,
    private readonly now: () => number,
  ) {}

  /** @throws what reading throws, or threw just before, if there is no value that may be used */
  async get(): Promise<T> {
    const age = this.value === null ? Infinity : this.now() - this.value.readAt;
    if (this.value === null || age > STALE_MS) return this.again();
    if (age > FRESH_MS) this.again().catch(() => undefined);
    return this.value.current;
  }

  /** Reads the value again. @returns null if that was done too often, or failed just before */
  async renew(): Promise<T | null> {
    return this.reading ?? (this.mayTry() ? this.again() : null);
  }

  private mayTry(): boolean {
    const now = this.now();
    const recent = this.readAts.filter((at) => now - at < WINDOW_MS);
    const waits = this.failure !== null && now - (recent.at(-1) ?? -Infinity) < PAUSE_MS;
    return recent.length < MAX_READS && !waits;
  }

  private again(): Promise<T> {
    if (this.reading) return this.reading;
    if (!this.mayTry()) return Promise.reject((this.failure ?? new Error('asked too often')) as Error);
    this.readAts = [...this.readAts, this.now()].slice(-MAX_READS);
    this.reading = this.read().then(
      (current) => {
        this.value = { current, readAt: this.now() };
        this.failure = null;
        this.reading = null;
        return current;
      },
      (error: unknown) => {
        this.failure = error;
        this.reading = null;
        throw error;
      },
    );
    return this.reading;
  }
}
