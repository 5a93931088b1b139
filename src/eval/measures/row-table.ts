import type { EvalRow, Statistic } from '../eval-row.js';
import { auroc, mean, quantile } from './measures.js';

/** Rows as columns, for fast resampling. */
export interface RowTable {
  readonly size: number;
  readonly isAnswerable: readonly boolean[];
  /** NaN if a row doesn't have the value. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

/** Converts rows to columns. */
export function toTable(rows: readonly EvalRow[]): RowTable {
  const names = new Set(rows.flatMap(({ values }) => Object.keys(values)));
  const column = (name: string): Float64Array => Float64Array.from(rows, ({ values }) => values[name] ?? NaN);
  return {
    size: rows.length,
    isAnswerable: rows.map(({ answerable }) => answerable),
    columns: new Map([...names].map((name) => [name, column(name)])),
  };
}

function valuesOf({ columns }: RowTable, name: string, picks: readonly number[]): number[] {
  const column = columns.get(name);
  if (!column) return [];
  return picks.map((pick) => column[pick] ?? NaN).filter((value) => !Number.isNaN(value));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Computes a statistic over some rows of a table; a row may be picked more than once.
 * @returns NaN if undefined: without values, for a ratio with denominator 0, or with only one kind of question
 */
export function statisticOf(statistic: Statistic, table: RowTable, picks: readonly number[]): number {
  switch (statistic.kind) {
    case 'mean':
      return mean(valuesOf(table, statistic.of, picks));
    case 'quantile':
      return quantile(valuesOf(table, statistic.of, picks), statistic.q);
    case 'ratio': {
      const per = sum(valuesOf(table, statistic.per, picks));
      return per === 0 ? NaN : sum(valuesOf(table, statistic.of, picks)) / per;
    }
    case 'auroc': {
      const isYes = (pick: number): boolean => table.isAnswerable[pick] ?? false;
      const yes = valuesOf(table, statistic.of, picks.filter(isYes));
      const no = valuesOf(
        table,
        statistic.of,
        picks.filter((pick) => !isYes(pick)),
      );
      return auroc(yes, no);
    }
  }
}
