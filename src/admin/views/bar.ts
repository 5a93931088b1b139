import { type Html, html } from './html.js';

export interface BarPart {
  /** Length of the part, in the unit of the bar. */
  readonly length: number;
  /** CSS class of the colour. */
  readonly fill: string;
}

/** Width of the drawing; it is stretched to the available width. */
const WIDTH = 1_000;

const place = (value: number): string => String(Math.round(value * 10) / 10);

interface BarOptions {
  readonly from?: number;
  /** The value of the whole width, > 0. */
  readonly of: number;
}

/** Adjacent parts. Hidden from screen readers, because the figures are next to it as text. */
export function bar(parts: readonly BarPart[], { from = 0, of }: BarOptions): Html {
  const scale = of > 0 ? WIDTH / of : 0;
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, { length }) => sum + length, from));
  const rects = parts.map(
    ({ length, fill }, i) =>
      length > 0 &&
      html`<rect
        class="${fill}"
        x="${place((starts[i] ?? 0) * scale)}"
        y="0"
        width="${place(Math.max(length * scale, 3))}"
        height="10"
      />`,
  );
  return html`<svg
    class="bar"
    viewBox="0 0 ${WIDTH} 10"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <rect class="bar-ground" x="0" y="0" width="${WIDTH}" height="10" />
    ${rects}
  </svg>`;
}

/** About four round numbers from 0 to at least `max`, evenly spaced; [0, 1] if `max` is 0. */
export function niceTicks(max: number, isWhole = false): readonly number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 3, 4, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const wide = isWhole ? Math.max(1, Math.ceil(step)) : step;
  const count = Math.ceil(max / wide - 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * wide).toPrecision(6)));
}

/** A label on an axis, at 0 (start) to 1 (end). */
export interface AxisMark {
  readonly at: number;
  readonly text: string;
}

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

/** Axis labels. Positions are shares of the width, so that letters keep their size. */
export function axisLabels(marks: readonly AxisMark[]): Html {
  const labels = marks.map(({ at, text }) => {
    const anchor = at < 0.02 ? 'start' : at > 0.98 ? 'end' : 'middle';
    return html`<text x="${percent(at)}" y="14" text-anchor="${anchor}">${text}</text>`;
  });
  return html`<svg class="labels" aria-hidden="true" focusable="false">${labels}</svg>`;
}
