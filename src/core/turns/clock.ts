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

const waiting: (() => void)[] = [];
let holds = 0;

/** True if a step waits. */
export const stepsWait = (): boolean => waiting.length > 0;

/** True while no step may run and no call may start. */
export const stepsAreHeld = (): boolean => holds > 0;

/**
 * Runs a step of a call that takes milliseconds of the main thread. Each turn of the event loop runs one such step, so
 * that connections and health checks, which arrive between turns, never wait for the steps of many calls.
 */
export function onePerTurn(step: () => void): void {
  if (waiting.push(step) === 1) setImmediate(runNext);
}

/** Holds the steps of all calls of this process until the returned function is called, once. */
export function holdSteps(): () => void {
  holds++;
  return () => void holds--;
}

function runNext(): void {
  const step = stepsAreHeld() ? undefined : waiting.shift();
  if (waiting.length > 0) setImmediate(runNext);
  step?.();
}
