/** The next number of a sequence, at least 0 and less than 1. */
export type Random = () => number;

/**
 * Creates a deterministic generator: Mulberry32 (Tommy Ettinger, 2017), 32 bits of state. Suitable for resampling, not
 * for secrets.
 * @param seed  any integer; only the lower 32 bits are used
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
