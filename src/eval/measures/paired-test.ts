import type { Random } from './seeded-random.js';

/** Gives a p value of .05 with an accuracy of about ± .01. */
export const PERMUTATIONS = 2_000;

/**
 * Draws the sign flips of a paired permutation test over n questions (Fisher, 1935; for retrieval: Smucker, Allan &
 * Carterette, CIKM 2007).
 * @returns for each permutation and question, true if the two runs are swapped
 */
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
