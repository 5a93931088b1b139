/**
 * Random +1 and -1 from a seeded generator (mulberry32, Tommy Ettinger, public domain), the same on every machine.
 * To start a randomised factorisation, signs work as well as normal deviates and need no logarithm or cosine.
 * @param seed  any integer; only its lower 32 bits are used
 */
export function randomSigns(length: number, seed: number): Float32Array {
  const signs = new Float32Array(length);
  let state = seed >>> 0;
  for (let i = 0; i < length; i++) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    signs[i] = ((mixed ^ (mixed >>> 14)) & 1) === 0 ? -1 : 1;
  }
  return signs;
}
