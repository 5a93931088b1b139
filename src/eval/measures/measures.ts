/*
 * Measures of ranked lists and of scores, as pure functions. A list of relevances has one number for each rank, best
 * rank first: 0 for what does not matter, more for what matters more.
 */

/** The mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The value at a share of the sorted list: element floor(q · n), as `score-evidence.mjs` takes it.
 * @param q  0 to 1
 * @returns one of the values; NaN for none
 */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

/** Σ gain / log2(rank + 1) over the first k ranks, rank from 1. */
function discountedGain(relevances: readonly number[], k: number): number {
  return relevances.slice(0, k).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/**
 * Normalised discounted cumulative gain of the first k ranks, with the relevance itself as gain: DCG@k divided by the
 * DCG@k of the best order (Järvelin & Kekäläinen, TOIS 2002; gain and discount as in trec_eval, which BEIR uses).
 * @param ranked  relevance of what stands at each rank, best rank first
 * @param judged  relevance of everything that is relevant, in any order, found or not
 * @returns 0 to 1; 0 when nothing is relevant
 */
export function ndcgAt(k: number, ranked: readonly number[], judged: readonly number[]): number {
  const best = discountedGain(
    [...judged].sort((a, b) => b - a),
    k,
  );
  return best === 0 ? 0 : discountedGain(ranked, k) / best;
}

/**
 * Share of the relevant that stands among the first k.
 * @param relevant  how many there are, found or not
 * @returns 0 to 1; 0 when nothing is relevant
 */
export function recallAt(k: number, ranked: readonly number[], relevant: number): number {
  return relevant === 0 ? 0 : ranked.slice(0, k).filter((gain) => gain > 0).length / relevant;
}

/**
 * 1 / rank of the first that is relevant, 0 when none of the first k is; its mean over questions is MRR@k (Voorhees,
 * TREC-8, 1999).
 */
export function reciprocalRankAt(k: number, ranked: readonly number[]): number {
  const at = ranked.slice(0, k).findIndex((gain) => gain > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

/**
 * Area under the ROC curve: how often a positive has the higher score than a negative, ties counted half (Mann &
 * Whitney, 1947; Hanley & McNeil, Radiology 1982).
 * @returns 0 to 1, .5 is chance; NaN when either side is empty
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  let wins = 0;
  for (const positive of positives) {
    for (const negative of negatives) wins += positive > negative ? 1 : positive === negative ? 0.5 : 0;
  }
  return wins / (positives.length * negatives.length);
}
