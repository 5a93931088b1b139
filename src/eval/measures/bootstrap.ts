import { quantile } from './measures.js';
import type { Random } from './seeded-random.js';

/** A 95% interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Number of bootstrap samples; enough for two digits of a 95% interval (Efron & Tibshirani, 1993, ch. 13). */
export const RESAMPLES = 1_000;

function drawOne(from: readonly number[], random: Random): number[] {
  return from.map(() => from[Math.floor(random() * from.length)] ?? 0);
}

/**
 * Draws samples of size n from the numbers 0 to n - 1, with replacement. Each stratum keeps its size, so that every
 * sample has questions of both kinds.
 * @param strata  a partition of the numbers
 */
export function drawSamples(strata: readonly (readonly number[])[], random: Random): number[][] {
  return Array.from({ length: RESAMPLES }, () => strata.flatMap((stratum) => drawOne(stratum, random)));
}

/**
 * Computes the 95% interval of a statistic by the percentile bootstrap (Efron, 1979).
 * @param statistic  of the picked numbers; samples for which it is NaN are left out
 * @returns null if it is NaN for half of the samples or more
 */
export function bootstrapInterval(
  samples: readonly (readonly number[])[],
  statistic: (picks: readonly number[]) => number,
): Interval | null {
  const drawn = samples.map(statistic).filter((value) => !Number.isNaN(value));
  if (drawn.length * 2 <= samples.length) return null;
  return { low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}
