import { setTimeout as delay } from 'node:timers/promises';

/** Wait before the first restart (ms); doubled for each further one. A part of it is random. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** The time before a restart, between half and all of an interval that doubles. @param failures  in a row, from 1 */
export function waitBeforeRestart(failures: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(longest * (0.5 + random / 2));
}

/** Waits without keeping the process alive. @throws AbortError */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false });
}
