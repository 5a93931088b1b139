import type { EvalRow, FigureSpec, Statistic } from '../eval-row.js';
import { auroc, mean, quantile } from './measures.js';

/** The next number of a sequence, at least 0 and less than 1. */
export type Random = () => number;

/** Mulberry32 (Tommy Ettinger, 2017): deterministic, not for secrets. @param seed  only the lower 32 bits count */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Number of bootstrap samples; enough for two digits of a 95% interval (Efron & Tibshirani, 1993, ch. 13). */
const RESAMPLES = 1_000;

function drawOne(from: readonly number[], random: Random): number[] {
  return from.map(() => from[Math.floor(random() * from.length)] ?? 0);
}

/** Draws samples with replacement. Strata keep their sizes, so that every sample has questions of both kinds. */
export function drawSamples(strata: readonly (readonly number[])[], random: Random): number[][] {
  return Array.from({ length: RESAMPLES }, () => strata.flatMap((stratum) => drawOne(stratum, random)));
}

/** The 95% interval by the percentile bootstrap (Efron, 1979); null if half of the samples or more give NaN. */
export function bootstrapInterval(
  samples: readonly (readonly number[])[],
  statistic: (picks: readonly number[]) => number,
): Interval | null {
  const drawn = samples.map(statistic).filter((value) => !Number.isNaN(value));
  if (drawn.length * 2 <= samples.length) return null;
  return { low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}

/** Gives a p value of .05 with an accuracy of about ± .01. */
const PERMUTATIONS = 2_000;

/** True: the two runs are swapped in the permutation test (Fisher, 1935; Smucker, Allan & Carterette, CIKM 2007). */
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

export interface Figure extends Omit<FigureSpec, 'statistic'> {
  /** Null if undefined for these questions. */
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** A figure in this run and in an earlier one, over the questions in both runs. */
export interface Comparison extends Pick<FigureSpec, 'key' | 'label' | 'unit'> {
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
  const all = indexes(isAnswerable.length);
  return [true, false].map((kind) => all.filter((i) => isAnswerable[i] === kind));
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

/** Compares two runs by pairs of rows of the same question. @returns the figures that are defined for both runs */
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

/** Rows as columns, for fast resampling. */
interface RowTable {
  readonly size: number;
  readonly isAnswerable: readonly boolean[];
  /** NaN if a row doesn't have the value. */
  readonly columns: ReadonlyMap<string, Float64Array>;
}

function toTable(rows: readonly EvalRow[]): RowTable {
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

/** Computes a statistic over picked rows, with repeats; NaN if undefined, for example with denominator 0. */
function statisticOf(statistic: Statistic, table: RowTable, picks: readonly number[]): number {
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
      const yes = picks.filter((pick) => table.isAnswerable[pick]);
      const no = picks.filter((pick) => !table.isAnswerable[pick]);
      return auroc(valuesOf(table, statistic.of, yes), valuesOf(table, statistic.of, no));
    }
  }
}
