/*
 * Measures of ranked lists and of scores. A list of relevances has one number per rank, best rank first; 0 is not
 * relevant, higher is more relevant.
 */

/** The mean; NaN without values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Element floor(q · n) of the sorted list, for q from 0 to 1, as in `score-evidence.mjs`; NaN without values. */
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
 * @param ranked  relevance at each rank, best rank first
 * @param judged  relevance of all relevant items, found or not, in any order
 * @returns 0 to 1; 0 without relevant items
 */
export function ndcgAt(k: number, ranked: readonly number[], judged: readonly number[]): number {
  const best = discountedGain(
    [...judged].sort((a, b) => b - a),
    k,
  );
  return best === 0 ? 0 : discountedGain(ranked, k) / best;
}

/** 1 / rank of the first relevant item among the first k, else 0; its mean is MRR@k (Voorhees, TREC-8, 1999). */
export function reciprocalRankAt(k: number, ranked: readonly number[]): number {
  const at = ranked.slice(0, k).findIndex((gain) => gain > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

/**
 * Area under the ROC curve: how often a positive gets a higher score than a negative, with ties counted half (Mann &
 * Whitney, 1947; Hanley & McNeil, Radiology 1982).
 * @returns 0 to 1, .5 is chance; NaN if either list is empty
 */
export function auroc(positives: readonly number[], negatives: readonly number[]): number {
  let wins = 0;
  for (const positive of positives) {
    for (const negative of negatives) wins += positive > negative ? 1 : positive === negative ? 0.5 : 0;
  }
  return wins / (positives.length * negatives.length);
}
