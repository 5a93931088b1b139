import { formatClock } from '../../diagnostics/report/format.js';
import { axisLabels, type AxisMark, niceTicks } from './bar.js';
import { legend } from './card.js';
import { type Html, html, type Part } from './html.js';

/** The bars of one time step. */
export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** One value for each layer; null if nothing was measured. */
  readonly values: readonly (number | null)[];
}

export interface TimeChart {
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
export function timeChart(chart: TimeChart): Html {
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
