const waiting: (() => void)[] = [];

/** True if a step waits. */
export const stepsWait = (): boolean => waiting.length > 0;

/**
 * Runs a step of a call that takes milliseconds of the main thread. Each turn of the event loop runs one such step, so
 * that connections and health checks, which arrive between turns, never wait for the steps of many calls.
 */
export function onePerTurn(step: () => void): void {
  if (waiting.push(step) === 1) setImmediate(runNext);
}

function runNext(): void {
  const step = waiting.shift();
  if (stepsWait()) setImmediate(runNext);
  step?.();
}
