/** The measures of one question. */
export interface EvalRow {
  /** Unique within a set; pairs the row with that of another run. */
  readonly id: string;
  readonly question: string;
  readonly type: string;
  readonly multihop: boolean;
  /** True if the documents contain an answer. */
  readonly answerable: boolean;
  /** By name; what does not apply to a question is left out. */
  readonly values: Readonly<Record<string, number>>;
}

/** How the values of many questions become one number. */
export type Statistic =
  | { readonly kind: 'mean'; readonly of: string }
  | { readonly kind: 'quantile'; readonly of: string; readonly q: number }
  /** The sum of one value over the sum of another. */
  | { readonly kind: 'ratio'; readonly of: string; readonly per: string }
  /** How well the value tells answerable questions from the others. */
  | { readonly kind: 'auroc'; readonly of: string };

/** One line of a report. */
export interface FigureSpec {
  /** Stable; what floors and baselines name. */
  readonly key: string;
  readonly label: string;
  readonly unit: 'share' | 'tokens' | 'ms' | 'bytes' | 'count';
  readonly better: 'more' | 'less';
  readonly statistic: Statistic;
}
