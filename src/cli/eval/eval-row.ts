import { z } from 'zod';

/** The measures of one question, as a run saves them. */
export const evalRowSchema = z.object({
  /** Unique within a set; pairs the row with that of another run. */
  id: z.string(),
  question: z.string(),
  type: z.string(),
  multihop: z.boolean(),
  /** True if the documents contain an answer. */
  answerable: z.boolean(),
  /** By name; values that do not apply to the question are left out. */
  values: z.record(z.string(), z.number()),
});

export type EvalRow = Readonly<z.output<typeof evalRowSchema>>;

/** How the values of many questions become one number. */
export type Statistic =
  | { readonly kind: 'mean'; readonly of: string }
  | { readonly kind: 'quantile'; readonly of: string; readonly q: number }
  /** The sum of one value over the sum of another. */
  | { readonly kind: 'ratio'; readonly of: string; readonly per: string }
  /** How well the value separates answerable from unanswerable questions. */
  | { readonly kind: 'auroc'; readonly of: string };

/** One line of a report. */
export interface FigureSpec {
  /** Stable: floors and saved runs refer to it. */
  readonly key: string;
  readonly label: string;
  readonly unit: 'share' | 'tokens' | 'ms' | 'bytes' | 'count';
  readonly better: 'more' | 'less';
  readonly statistic: Statistic;
}
