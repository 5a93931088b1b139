/**
 * The time for durations within this process: limits, lifetimes, pauses. Milliseconds since the epoch by the system's
 * clock at the start of the process, plus the time since then, so it never jumps. `Date.now` is for instants that are
 * shown, stored, signed or compared with those of others.
 */
export const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Both readings, for what measures durations and shows instants. */
export interface Clock {
  /** Milliseconds since the epoch; jumps when the system's clock is set. */
  readonly now: () => number;
  /** As `steadyNow`. */
  readonly steady: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), steady: steadyNow };
