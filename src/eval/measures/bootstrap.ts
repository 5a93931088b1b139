import { quantile } from './measures.js';
import type { Random } from './seeded-random.js';

/** Where a figure would lie in 95 of 100 samples of as many questions; null where too few samples define it. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** How many times questions are drawn anew: enough for two digits of a 95% interval (Efron & Tibshirani, 1993, ch. 13). */
export const RESAMPLES = 1_000;

function drawOne(from: readonly number[], random: Random): number[] {
  return from.map(() => from[Math.floor(random() * from.length)] ?? 0);
}

/**
 * Samples of the numbers 0 to n - 1 of the same size, with replacement; each stratum keeps its size, so that there are
 * always questions of both kinds.
 * @param strata  which numbers belong together; every number in exactly one
 */
export function drawSamples(strata: readonly (readonly number[])[], random: Random): number[][] {
  return Array.from({ length: RESAMPLES }, () => strata.flatMap((stratum) => drawOne(stratum, random)));
}

/**
 * The percentile bootstrap's 95% interval (Efron, 1979) of a statistic.
 * @param statistic  takes the picked numbers; samples where it is NaN are left out
 * @returns null when it is NaN in more than half of the samples
 */
export function bootstrapInterval(
  samples: readonly (readonly number[])[],
  statistic: (picks: readonly number[]) => number,
): Interval | null {
  const drawn = samples.map(statistic).filter((value) => !Number.isNaN(value));
  if (drawn.length * 2 <= samples.length) return null;
  return { low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}
