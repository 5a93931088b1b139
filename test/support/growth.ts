/** Times one run, in milliseconds. */
function timed(run: () => void): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}

/** Shorter times (ms) are not compared. */
const TOO_SHORT_MS = 40;
const FACTOR = 8;
/** Number of tries, since a short slowdown of the machine rarely affects all of them. */
const TRIES = 5;

/**
 * The ratio of the times for a text and for an eighth of it, the smallest of up to five tries: 8 for linear time, 64
 * for quadratic time, 0 for negligible time. Independent of the speed of the machine.
 * @param enough  a ratio below this ends the tries
 */
export function growthOf(
  read: (text: string) => void,
  textOf: (length: number) => string,
  length: number,
  enough: number,
): number {
  const [long, short] = [textOf(length), textOf(length / FACTOR)];
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= enough; tries++) {
    const whole = timed(() => read(long));
    if (whole < TOO_SHORT_MS) return 0;
    least = Math.min(least, whole / timed(() => read(short)));
  }
  return least;
}
