import { quantile } from './measures.js';

/** The next number of a sequence, at least 0 and less than 1. */
export type Random = () => number;

/** Mulberry32 (Tommy Ettinger, 2017): deterministic, not for secrets. @param seed  only the lower 32 bits count */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Number of bootstrap samples; enough for two digits of a 95% interval (Efron & Tibshirani, 1993, ch. 13). */
const RESAMPLES = 1_000;

function drawOne(from: readonly number[], random: Random): number[] {
  return from.map(() => from[Math.floor(random() * from.length)] ?? 0);
}

/** Draws samples with replacement. Strata keep their sizes, so that every sample has questions of both kinds. */
export function drawSamples(strata: readonly (readonly number[])[], random: Random): number[][] {
  return Array.from({ length: RESAMPLES }, () => strata.flatMap((stratum) => drawOne(stratum, random)));
}

/** The 95% interval by the percentile bootstrap (Efron, 1979); null if half of the samples or more give NaN. */
export function bootstrapInterval(
  samples: readonly (readonly number[])[],
  statistic: (picks: readonly number[]) => number,
): Interval | null {
  const drawn = samples.map(statistic).filter((value) => !Number.isNaN(value));
  if (drawn.length * 2 <= samples.length) return null;
  return { low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}

/** Gives a p value of .05 with an accuracy of about ± .01. */
const PERMUTATIONS = 2_000;

/** True: the two runs are swapped in the permutation test (Fisher, 1935; Smucker, Allan & Carterette, CIKM 2007). */
export function drawFlips(n: number, random: Random): boolean[][] {
  return Array.from({ length: PERMUTATIONS }, () => Array.from({ length: n }, () => random() < 0.5));
}

/**
 * Computes how often a difference at least as large as the observed one occurs if runs are swapped at random.
 * @param flips  from `drawFlips`
 * @param difference  of the statistic between the runs, with the flipped questions swapped
 * @returns two-sided p value, counting the observed difference; from 1 / (permutations + 1) to 1
 */
export function signFlipTest(
  flips: readonly (readonly boolean[])[],
  difference: (flipped: readonly boolean[]) => number,
): number {
  const observed = Math.abs(difference((flips[0] ?? []).map(() => false)));
  // The order of summation changes the last digits.
  const threshold = observed * (1 - 1e-9);
  const asLarge = flips.filter((flipped) => Math.abs(difference(flipped)) >= threshold).length;
  return (asLarge + 1) / (flips.length + 1);
}
