import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { formatMs, formatShare } from '../../diagnostics/report/format.js';
import { stagesOf } from '../../diagnostics/report/stages.js';
import { axisLabels, bar, niceTicks } from './bar.js';
import { type Html, html } from './html.js';

/** Time by stage. */
export function timeline(record: Pick<DiagnosticRecord, 'timing_ms'>): Html {
  const stages = stagesOf(record);
  const { total } = record.timing_ms;
  const end = Math.max(total, ...stages.map(({ from, ms }) => from + ms));
  const ticks = niceTicks(end);
  const width = ticks.at(-1) ?? 1;
  const fillOf = (at: number): string => (at < stages.length - 1 ? 'c2' : 'c5');
  const rows = stages.map(
    ({ name, from, ms }, i) =>
      html`<li class="measure">
        <span class="name">${name}</span>${bar([{ length: ms, fill: fillOf(i) }], { from, of: width })}<span
          class="figure"
          >${ms > 0 ? formatMs(ms) : '–'}${ms > 0 && html` <small>${formatShare(ms, end)}</small>`}</span
        >
      </li>`,
  );
  return html`<section class="card" aria-labelledby="timeline">
    <h2 id="timeline">Time by stage</h2>
    <p class="unit">Milliseconds since the start of the call; <strong>${formatMs(total)}</strong> in total</p>
    <ol class="timeline">
      ${rows}
    </ol>
    <div class="measure axis" aria-hidden="true">
      <span class="name"></span
      >${axisLabels(ticks.map((tick) => ({ at: tick / width, text: tick.toLocaleString('en-US') })))}<span
        class="figure"
        >ms</span
      >
    </div>
  </section>`;
}
