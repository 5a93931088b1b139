/** Times one run, in milliseconds. */
function timed(run: () => void): number {
  const startedAt = performance.now();
  run();
  return performance.now() - startedAt;
}

/** What takes less than this (ms) is not worth a comparison. */
const TOO_SHORT_MS = 40;
const FACTOR = 8;
/** A slow moment is not seen three times. */
const TRIES = 3;

/**
 * How much longer a text of this length takes than an eighth of it, least of up to three tries: 8 where time grows with
 * length, 64 where it grows with its square; 0 where it takes next to no time. Says the same on a slow machine as on a
 * fast one.
 * @param enough  no further try where one came to less
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
