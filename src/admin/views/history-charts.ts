import {
  formatClock,
  formatCount,
  formatMs,
  formatPlural,
  formatShare,
} from '../../diagnostics/report/format.js';
import type { HistoryPoint, HistorySeries, NamedTotal } from '../facts/call-history.js';
import { axisLabels, type AxisMark, niceTicks } from './bar.js';
import { legend } from './card.js';
import { type Html, html, type Part } from './html.js';
import { type PageColumn, table } from './table.js';

/** The bars of one time step. */
interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** One value for each layer; null if nothing was measured. */
  readonly values: readonly (number | null)[];
}

interface TimeChart {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly layers: readonly { readonly name: string; readonly fill: string }[];
  readonly points: readonly ChartPoint[];
  readonly stepMinutes: number;
  /** True if layers are stacked; otherwise all start at 0, the first behind the others. */
  readonly isStacked: boolean;
  /** True if only whole numbers make sense. */
  readonly isWhole: boolean;
  readonly summary: string;
  readonly figures: Part;
}

// The picture is stretched to the available width. Labels are separate, so that their text is not stretched.
const HEIGHT = 160;
const STEP = 10;
const GAP = 2;

function heightOf({ points, isStacked }: TimeChart): number {
  const tops = points.map(({ values }) => {
    const known = values.filter((value) => value !== null);
    return isStacked ? known.reduce((sum, value) => sum + value, 0) : Math.max(0, ...known);
  });
  return Math.max(0, ...tops);
}

function bars({ layers, points, isStacked }: TimeChart, top: number): Html[] {
  const scale = HEIGHT / top;
  return points.flatMap(({ values }, i) => {
    let floor = HEIGHT;
    return values.flatMap((value, layer) => {
      if (value === null || value === 0) return [];
      const height = Math.max(1, value * scale);
      const y = (isStacked ? floor : HEIGHT) - height;
      floor = y;
      return html`<rect
        class="${layers[layer]?.fill ?? ''}"
        x="${i * STEP + GAP / 2}"
        y="${y.toFixed(1)}"
        width="${STEP - GAP}"
        height="${height.toFixed(1)}"
      />`;
    });
  });
}

function picture(chart: TimeChart, ticks: readonly number[], hours: readonly AxisMark[]): Html {
  const top = ticks.at(-1) ?? 1;
  const width = chart.points.length * STEP;
  const lines = ticks.map((tick) => {
    const y = (HEIGHT - (tick / top) * HEIGHT).toFixed(1);
    return html`<line class="grid" x1="0" x2="${width}" y1="${y}" y2="${y}" />`;
  });
  const marks = hours.map(
    ({ at }) => html`<line class="grid" x1="${at * width}" x2="${at * width}" y1="0" y2="${HEIGHT}" />`,
  );
  return html`<svg
    class="plot"
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-labelledby="${chart.id} ${chart.id}-summary"
    focusable="false"
  >
    ${lines}${marks}${bars(chart, top)}
  </svg>`;
}

const HOUR_MS = 3_600_000;

/** Full hours in the time range, as shares of the width. */
function hoursOf({ points, stepMinutes }: TimeChart): readonly AxisMark[] {
  const first = points[0]?.at ?? 0;
  const length = points.length * stepMinutes * 60_000;
  const hours = Array.from(
    { length: Math.floor(length / HOUR_MS) + 1 },
    (_, i) => (Math.ceil(first / HOUR_MS) + i) * HOUR_MS,
  );
  const within = hours.filter((hour) => hour <= first + length);
  return within.map((hour) => ({ at: (hour - first) / length, text: formatClock(hour) }));
}

/** Bars over time with axes, units and a legend, also in words and as a table. */
function timeChart(chart: TimeChart): Html {
  const ticks = niceTicks(heightOf(chart), chart.isWhole);
  const hours = hoursOf(chart);
  return html`<figure class="card chart" aria-labelledby="${chart.id}">
    <figcaption>
      <h3 id="${chart.id}">${chart.title}</h3>
      ${legend(chart.layers)}
      <p id="${chart.id}-summary" class="unit">${chart.summary}</p>
    </figcaption>
    <div class="frame">
      <p class="y-unit" aria-hidden="true">${chart.unit}</p>
      <div class="y-ticks" aria-hidden="true">
        ${[...ticks].reverse().map((tick) => html`<span>${tick.toLocaleString('en-US')}</span>`)}
      </div>
      ${picture(chart, ticks, hours)}
      <div class="x-ticks">${axisLabels(hours)}</div>
      <p class="x-unit" aria-hidden="true">time of day, UTC</p>
    </div>
    ${chart.figures}
  </figure>`;
}

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
