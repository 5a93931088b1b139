import type { FigureSpec, Statistic } from '../eval-row.js';

export const HIT_RANKS = [1, 3, 5, 10] as const;

const mean = (of: string): Statistic => ({ kind: 'mean', of });
export const share = (key: string, label: string, statistic: Statistic = mean(key)): FigureSpec => ({
  key,
  label,
  unit: 'share',
  better: 'more',
  statistic,
});
const costIn =
  (unit: FigureSpec['unit']) =>
  (key: string, label: string, statistic: Statistic = mean(key)): FigureSpec => {
    return { key, label, unit, better: 'less', statistic };
  };
export const tokens = costIn('tokens');
const ms = costIn('ms');

export const LATENCY: readonly FigureSpec[] = [
  ms('p50Ms', 'latency p50', { kind: 'quantile', of: 'ms', q: 0.5 }),
  ms('p95Ms', 'latency p95', { kind: 'quantile', of: 'ms', q: 0.95 }),
];

export const GOLDEN_FIGURES: readonly FigureSpec[] = [
  share('answered', 'ANSWERED'),
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
  tokens('contentTokens', 'content, characters / 4'),
  tokens('structuredTokens', 'structured, characters / 4'),
  tokens('contentEstimate', 'content, estimated'),
  tokens('structuredEstimate', 'structured, estimated'),
  tokens('tokensPerAnswered', 'content per answered question', {
    kind: 'ratio',
    of: 'contentTokens',
    per: 'answered',
  }),
  costIn('bytes')('bytes', 'bytes of a result'),
  costIn('count')('calls', 'calls per question'),
  costIn('share')('errors', 'failed calls', mean('failed')),
  ...LATENCY,
];
