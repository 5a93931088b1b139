const waiting: (() => void)[] = [];
let isHeld = false;

/** True if a step waits, or if steps are held. */
export const stepsWait = (): boolean => isHeld || waiting.length > 0;

/**
 * Runs a step of a call that takes milliseconds of the main thread. Each turn of the event loop runs one such step, so
 * that connections and health checks, which arrive between turns, never wait for the steps of many calls.
 */
export function onePerTurn(step: () => void): void {
  if (waiting.push(step) === 1) setImmediate(runNext);
}

/** Lets all steps wait until the returned function is called. */
export function holdSteps(): () => void {
  isHeld = true;
  return () => {
    isHeld = false;
  };
}

function runNext(): void {
  const step = isHeld ? undefined : waiting.shift();
  if (waiting.length > 0) setImmediate(runNext);
  step?.();
}
