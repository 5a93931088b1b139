import {
  formatClock,
  formatCount,
  formatMs,
  formatPlural,
  formatShare,
} from '../../diagnostics/report/format.js';
import type { HistoryPoint, HistorySeries, NamedTotal } from '../facts/call-history.js';
import { type Html, html } from './html.js';
import { type PageColumn, table } from './table.js';
import { timeChart } from './time-chart.js';

const CODE_FILLS: Readonly<Record<string, string>> = {
  INTERNAL_ERROR: 'c6',
  TIMEOUT: 'c3',
  BACKEND_UNAVAILABLE: 'c4',
  BUDGET_EXCEEDED: 'c5',
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const errorsOf = ({ errors }: Pick<HistoryPoint, 'errors'>): number => sum(Object.values(errors));
const shownMs = (ms: number | null): string => (ms === null ? '–' : formatMs(ms));

const COUNTS: readonly PageColumn<Omit<HistoryPoint, 'at'>>[] = [
  { name: 'Calls', isNumber: true, cell: ({ calls }) => formatCount(calls) },
  { name: 'p50', isNumber: true, cell: ({ p50 }) => shownMs(p50) },
  { name: 'p95', isNumber: true, cell: ({ p95 }) => shownMs(p95) },
  { name: 'Failed', isNumber: true, cell: (point) => formatCount(errorsOf(point)) },
  { name: 'Waiting', isNumber: true, cell: ({ waiting }) => formatCount(waiting) },
  { name: 'Refused', isNumber: true, cell: ({ refused }) => formatCount(refused) },
];

function figures({ points, stepMinutes }: HistorySeries): Html | null {
  const busy = points.filter(({ calls }) => calls > 0).reverse();
  if (busy.length === 0) return null;
  return html`<details>
    <summary>As a table</summary>
    ${table({
      caption: `Calls, per ${stepMinutes} minutes, newest first`,
      isCaptionHidden: true,
      rows: busy,
      columns: [{ name: 'From', isHead: true, cell: ({ at }) => formatClock(at) }, ...COUNTS],
    })}
  </details>`;
}

function latency(series: HistorySeries): Html {
  const { points, stepMinutes, total } = series;
  const worst = points.reduce<HistoryPoint | null>(
    (slowest, point) => ((point.p95 ?? -1) > (slowest?.p95 ?? -1) ? point : slowest),
    null,
  );
  const peak =
    worst?.p95 == null ? '' : ` Slowest at ${formatClock(worst.at)}, with a p95 of ${formatMs(worst.p95)}.`;
  return timeChart({
    id: 'latency',
    title: 'Latency',
    unit: 'ms',
    layers: [
      { name: 'p95', fill: 'c2-pale' },
      { name: 'p50', fill: 'c2' },
    ],
    points: points.map(({ at, p50, p95 }) => ({ at, values: [p95, p50] })),
    stepMinutes,
    isStacked: false,
    isWhole: false,
    summary:
      total.calls === 0
        ? 'No calls in the last six hours.'
        : `${formatPlural(total.calls, 'call')} in six hours: half took at most ${shownMs(total.p50)}, 95% at most ${shownMs(total.p95)}.${peak}`,
    figures: figures(series),
  });
}

const waitingText = ({ waiting }: HistoryPoint): string =>
  waiting === 0 ? '' : ` ${formatPlural(waiting, 'call')} waited for an approval.`;

const refusedText = ({ refused }: HistoryPoint): string =>
  refused === 0
    ? ''
    : ` ${formatPlural(refused, 'call')} refused: invalid arguments, out of scope or over the rate limit.`;

function errors({ points, stepMinutes, total }: HistorySeries): Html {
  const codes = Object.keys(total.errors);
  const counts = codes.map((code) => `${code} ${formatCount(total.errors[code] ?? 0)}`).join(', ');
  const failed = errorsOf(total);
  return timeChart({
    id: 'errors',
    title: 'Failed calls',
    unit: `calls in ${stepMinutes} min`,
    layers: codes.map((code) => ({ name: code, fill: CODE_FILLS[code] ?? 'c5' })),
    points: points.map(({ at, errors: found }) => ({ at, values: codes.map((code) => found[code] ?? 0) })),
    stepMinutes,
    isStacked: true,
    isWhole: true,
    summary: `${
      failed === 0
        ? 'No call failed in the last six hours.'
        : `${formatCount(failed)} of ${formatPlural(total.calls, 'call')} failed in six hours (${formatShare(failed, total.calls)}): ${counts}.`
    }${waitingText(total)}${refusedText(total)}`,
    figures: null,
  });
}

function byName(names: readonly NamedTotal[]): Html | null {
  if (names.length === 0) return null;
  return html`<details class="card">
    <summary>By tool, last six hours</summary>
    ${table({
      caption: 'Calls by tool, last six hours',
      isCaptionHidden: true,
      rows: names,
      columns: [
        { name: 'Tool', isHead: true, cell: ({ name }) => html`<bdi>${name}</bdi>` },
        ...COUNTS,
        { name: 'Partial', isNumber: true, cell: ({ partial }) => formatCount(partial) },
        { name: 'Degraded', isNumber: true, cell: ({ degraded }) => formatCount(degraded) },
      ],
    })}
  </details>`;
}

/** The calls of the last six hours. */
export function historyCharts(series: HistorySeries): Html {
  return html`<section aria-labelledby="history">
    <h2 id="history">Last six hours</h2>
    <div class="halves">${latency(series)}${errors(series)}</div>
    ${byName(series.names)}
  </section>`;
}
