import type { FigureSpec } from '../eval-row.js';
import type { Interval } from './bootstrap.js';

const DECIMALS: Readonly<Record<FigureSpec['unit'], number>> = {
  share: 3,
  tokens: 0,
  ms: 2,
  bytes: 0,
  count: 2,
};

/** Formats a number for reports; a dash for null. */
export function formatFigure(value: number | null, unit: FigureSpec['unit']): string {
  return value === null ? '–' : value.toFixed(DECIMALS[unit]);
}

/** Formats an interval as `LOW to HIGH`; '' for null. */
export function formatInterval(interval: Interval | null, unit: FigureSpec['unit']): string {
  return interval ? `${formatFigure(interval.low, unit)} to ${formatFigure(interval.high, unit)}` : '';
}

/** Formats a difference with its sign. */
export function formatDifference(value: number, unit: FigureSpec['unit']): string {
  const text = value.toFixed(DECIMALS[unit]);
  return value > 0 ? `+${text}` : text;
}

/** Formats a p value with three decimals. */
export function formatP(p: number): string {
  return p < 0.001 ? '< .001' : p.toFixed(3);
}
