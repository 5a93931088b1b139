import type { EvalRow, FigureSpec } from '../../src/cli/eval/eval-row.js';
import {
  type EvalServices,
  measureEach,
  rankQuestion,
  type RunOptions,
} from '../../src/cli/eval/eval-services.js';
import { LATENCY, share } from '../../src/cli/eval/evaluate-golden.js';
import { ndcgAt, reciprocalRankAt } from '../../src/cli/eval/measures/measures.js';
import type { BeirQuery, BeirSet } from './beir-set.js';
import { positionOf } from './plain-document.js';

export const BEIR_FIGURES: readonly FigureSpec[] = [
  share('ndcg10', 'nDCG@10'),
  share('recall2', 'recall@2'),
  share('recall5', 'recall@5'),
  share('recall10', 'recall@10'),
  share('recall100', 'recall@100'),
  share('mrr10', 'MRR@10'),
  ...LATENCY,
];

/** Deep enough for recall@100. */
const RANKED = { sections: 100, perDocument: 1 };

/** Share of the relevant items, found or not, that are among the first k; 0 without relevant items. */
export function recallAt(k: number, ranked: readonly number[], relevant: number): number {
  return relevant === 0 ? 0 : ranked.slice(0, k).filter((gain) => gain > 0).length / relevant;
}

/** The measures of one query. @param ids  of the documents found, best first */
export function beirRow({ id, text, relevance }: BeirQuery, ids: readonly string[], ms: number): EvalRow {
  const ranked = ids.map((document) => relevance.get(document) ?? 0);
  const values = {
    ndcg10: ndcgAt(10, ranked, [...relevance.values()]),
    recall2: recallAt(2, ranked, relevance.size),
    recall5: recallAt(5, ranked, relevance.size),
    recall10: recallAt(10, ranked, relevance.size),
    recall100: recallAt(100, ranked, relevance.size),
    mrr10: reciprocalRankAt(10, ranked),
    ms,
  };
  return { id, question: text, type: 'query', multihop: false, answerable: true, values };
}

/** Searches for every query of a collection that was indexed with `asIndexed`. */
export async function evaluateBeir(
  services: EvalServices,
  { documents, queries }: BeirSet,
  { clock, onProgress }: RunOptions,
): Promise<EvalRow[]> {
  return measureEach(queries, onProgress, async (query) => {
    const start = clock();
    const found = await rankQuestion(services, { question: query.text }, RANKED);
    const ms = clock() - start;
    const ids = found.map(({ document }) => documents[positionOf(document.path)]?.id ?? '');
    return beirRow(query, ids, ms);
  });
}
