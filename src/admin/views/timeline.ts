import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { formatMs, formatShare } from '../../diagnostics/report/format.js';
import { stagesOf } from '../../diagnostics/report/stages.js';
import { axisLabels, bar, niceTicks } from './bar.js';
import { card, measure } from './card.js';
import { type Html, html } from './html.js';

export function timeline(record: Pick<DiagnosticRecord, 'timing_ms'>): Html {
  const stages = stagesOf(record);
  const { total } = record.timing_ms;
  const end = Math.max(total, ...stages.map(({ from, ms }) => from + ms));
  const ticks = niceTicks(end);
  const width = ticks.at(-1) ?? 1;
  const fillOf = (at: number): string => (at < stages.length - 1 ? 'c2' : 'c5');
  const rows = stages.map(({ name, from, ms }, i) => {
    const figure = ms > 0 ? html`${formatMs(ms)} <small>${formatShare(ms, end)}</small>` : '–';
    const place = bar([{ length: ms, fill: fillOf(i) }], { from, of: width });
    return html`<li class="measure">${measure(name, place, figure)}</li>`;
  });
  const marks = ticks.map((tick) => ({ at: tick / width, text: tick.toLocaleString('en-US') }));
  return card(
    'timeline',
    'Time by stage',
    html`<p class="unit">
        Milliseconds since the start of the call; <strong>${formatMs(total)}</strong> in total
      </p>
      <ol class="timeline">
        ${rows}
      </ol>
      <div class="measure axis" aria-hidden="true">${measure('', axisLabels(marks), 'ms')}</div>`,
  );
}
