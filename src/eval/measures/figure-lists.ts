import type { FigureSpec, Statistic } from '../eval-row.js';

export const HIT_RANKS = [1, 3, 5, 10] as const;

const mean = (of: string): Statistic => ({ kind: 'mean', of });
const share = (key: string, label: string, statistic: Statistic = mean(key)): FigureSpec => ({
  key,
  label,
  unit: 'share',
  better: 'more',
  statistic,
});
const cost = (
  key: string,
  label: string,
  unit: FigureSpec['unit'],
  statistic: Statistic = mean(key),
): FigureSpec => ({ key, label, unit, better: 'less', statistic });

const LATENCY: readonly FigureSpec[] = [
  cost('p50Ms', 'latency p50', 'ms', { kind: 'quantile', of: 'ms', q: 0.5 }),
  cost('p95Ms', 'latency p95', 'ms', { kind: 'quantile', of: 'ms', q: 0.95 }),
];

const GOLDEN: readonly FigureSpec[] = [
  share('page', 'page quoted'),
  share('section', 'section quoted'),
  ...HIT_RANKS.map((k) => share(`pageHit${k}`, `page hit@${k}`)),
  ...HIT_RANKS.map((k) => share(`sectionHit${k}`, `section hit@${k}`)),
  share('ndcg10', 'page nDCG@10'),
  share('mrr10', 'page MRR@10'),
  share('abstainAuroc', 'abstention AUROC', { kind: 'auroc', of: 'abstain' }),
  share('confidenceAuroc', 'raw confidence AUROC', { kind: 'auroc', of: 'confidence' }),
  share('abstainPrecision', 'abstention precision', {
    kind: 'ratio',
    of: 'rightlyAbstained',
    per: 'abstained',
  }),
  share('abstainRecall', 'abstention recall', { kind: 'ratio', of: 'rightlyAbstained', per: 'unanswerable' }),
  cost('contentTokens', 'content, characters / 4', 'tokens'),
  cost('structuredTokens', 'structured, characters / 4', 'tokens'),
  cost('contentEstimate', 'content, estimated', 'tokens'),
  cost('structuredEstimate', 'structured, estimated', 'tokens'),
  cost('tokensPerAnswered', 'content per answered question', 'tokens', {
    kind: 'ratio',
    of: 'contentTokens',
    per: 'answered',
  }),
  cost('bytes', 'bytes of a result', 'bytes'),
  cost('calls', 'calls per question', 'count'),
  cost('errors', 'failed calls', 'share', mean('failed')),
  ...LATENCY,
];

export function goldenFigures(maxQuotes: number): FigureSpec[] {
  return [share('answered', `ANSWERED@${maxQuotes}`), ...GOLDEN];
}

export const BEIR_FIGURES: readonly FigureSpec[] = [
  share('ndcg10', 'nDCG@10'),
  share('recall2', 'recall@2'),
  share('recall5', 'recall@5'),
  share('recall10', 'recall@10'),
  share('recall100', 'recall@100'),
  share('mrr10', 'MRR@10'),
  ...LATENCY,
];

export function evidenceFigures(maxQuotes: number): FigureSpec[] {
  return [
    share('recall', `sentence recall@${maxQuotes}`),
    share('any', `any gold sentence@${maxQuotes}`),
    share('complete', `whole rationale@${maxQuotes}`),
    cost('quoteTokens', 'quotes, characters / 4', 'tokens'),
    ...LATENCY,
  ];
}
