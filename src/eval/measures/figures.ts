import type { EvalRow, FigureSpec } from '../eval-row.js';
import { bootstrapInterval, drawSamples, type Interval } from './bootstrap.js';
import { drawFlips, signFlipTest } from './paired-test.js';
import { type RowTable, statisticOf, toTable } from './row-table.js';
import { seededRandom } from './seeded-random.js';

/** One measured number. */
export interface Figure extends Omit<FigureSpec, 'statistic'> {
  /** Null if undefined for these questions. */
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** A figure in this run and in an earlier one, over the questions in both runs. */
export interface Comparison {
  readonly key: string;
  readonly label: string;
  readonly unit: FigureSpec['unit'];
  readonly before: number;
  readonly now: number;
  /** Interval of now - before. */
  readonly interval: Interval | null;
  /** Two-sided p value of a paired permutation test. */
  readonly p: number;
}

const SEED = 20_260_101;

const indexes = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function strataOf({ isAnswerable }: RowTable): number[][] {
  const all = isAnswerable.map((answerable, i) => ({ answerable, i }));
  const stratum = (kind: boolean): number[] =>
    all.filter(({ answerable }) => answerable === kind).map(({ i }) => i);
  return [stratum(true), stratum(false)];
}

/** Computes figures with 95% intervals. Deterministic. */
export function figuresOf(rows: readonly EvalRow[], specs: readonly FigureSpec[]): Figure[] {
  const table = toTable(rows);
  const samples = drawSamples(strataOf(table), seededRandom(SEED));
  return specs.map(({ statistic, ...spec }) => {
    const value = statisticOf(statistic, table, indexes(rows.length));
    if (Number.isNaN(value)) return { ...spec, value: null, interval: null };
    const interval = bootstrapInterval(samples, (picks) => statisticOf(statistic, table, picks));
    return { ...spec, value, interval };
  });
}

/** Computes a statistic for both runs. The first half of the table is the current run, the second the earlier one. */
function bothOf(
  { statistic }: FigureSpec,
  table: RowTable,
  picks: readonly number[],
): { now: number; before: number } {
  const half = table.size / 2;
  const other = picks.map((pick) => (pick + half) % table.size);
  return { now: statisticOf(statistic, table, picks), before: statisticOf(statistic, table, other) };
}

/**
 * Compares two runs question by question.
 * @param pairs  rows of the same question, one from each run
 * @returns the figures that are defined for both runs; [] without pairs
 */
export function comparePairs(
  pairs: readonly { readonly now: EvalRow; readonly before: EvalRow }[],
  specs: readonly FigureSpec[],
): Comparison[] {
  const n = pairs.length;
  const table = toTable([...pairs.map(({ now }) => now), ...pairs.map(({ before }) => before)]);
  const ownHalf = { ...table, isAnswerable: table.isAnswerable.slice(0, n) };
  const samples = drawSamples(strataOf(ownHalf), seededRandom(SEED));
  const flips = drawFlips(n, seededRandom(SEED + 1));
  return specs.flatMap((spec) => {
    const { now, before } = bothOf(spec, table, indexes(n));
    if (Number.isNaN(now - before)) return [];
    const difference = (picks: readonly number[]): number => {
      const both = bothOf(spec, table, picks);
      return both.now - both.before;
    };
    const interval = bootstrapInterval(samples, difference);
    const p = signFlipTest(flips, (flipped) =>
      difference(flipped.map((isFlipped, i) => (isFlipped ? i + n : i))),
    );
    const { key, label, unit } = spec;
    return [{ key, label, unit, before, now, interval, p }];
  });
}
