import type { Random } from './seeded-random.js';

/** Enough that a p value of .05 is known to about ± .01. */
export const PERMUTATIONS = 2_000;

/**
 * Which of two runs each of n questions is taken from, drawn at random: the sign flips of a paired permutation test
 * (Fisher, 1935; for retrieval: Smucker, Allan & Carterette, CIKM 2007).
 * @returns for each permutation and question whether the two runs are swapped
 */
export function drawFlips(n: number, random: Random): boolean[][] {
  return Array.from({ length: PERMUTATIONS }, () => Array.from({ length: n }, () => random() < 0.5));
}

/**
 * How often a difference at least as large comes about when for each question it does not matter which run answered it.
 * @param flips  as of `drawFlips`
 * @param difference  of the statistic, with the runs of the flipped questions swapped
 * @returns two-sided p value with the observed one counted in, from 1 / (permutations + 1) to 1
 */
export function signFlipTest(
  flips: readonly (readonly boolean[])[],
  difference: (flipped: readonly boolean[]) => number,
): number {
  const observed = Math.abs(difference((flips[0] ?? []).map(() => false)));
  // Sums in another order differ in their last digits.
  const least = observed * (1 - 1e-9);
  const asLarge = flips.filter((flipped) => Math.abs(difference(flipped)) >= least).length;
  return (asLarge + 1) / (flips.length + 1);
}
