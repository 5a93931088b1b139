const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** The CPU time of this process and its threads for one run, in milliseconds: the load of the machine doesn't matter. */
export async function cpuMsOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  return cpuMsSince(before);
}

function timed(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return cpuMsSince(before);
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
