import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { axisLabels, bar, niceTicks } from './bar.js';
import { formatMs, formatShare } from '../../diagnostics/report/format.js';
import { html } from './html.js';
import type { Html } from './html.js';

interface Stretch {
  readonly name: string;
  readonly from: number;
  readonly ms: number;
  readonly fill: string;
}

/** Stages in the order in which they ran, one after another, then what no stage was measured for. */
export function stretchesOf({ timing_ms: times }: Pick<DiagnosticRecord, 'timing_ms'>): readonly Stretch[] {
  const stages = [
    ['Matching words', times.bm25],
    ['Comparing vectors', times.vector_search],
    ['Fusion', times.fusion],
    ['Reranking', times.rerank],
    ['Graph', times.graph_expansion],
    ['Assembling context', times.context_assembly],
  ] as const;
  const measured = stages.reduce((sum, [, ms]) => sum + ms, 0);
  const rest = ['Other (not measured)', Math.max(0, times.total - measured)] as const;
  const all = [...stages, rest];
  return all.map(([name, ms], i) => ({
    name,
    ms,
    from: all.slice(0, i).reduce((sum, [, before]) => sum + before, 0),
    fill: i === stages.length ? 'c5' : 'c2',
  }));
}

/** Time by stage. */
export function timeline(record: Pick<DiagnosticRecord, 'timing_ms'>): Html {
  const stretches = stretchesOf(record);
  const { total } = record.timing_ms;
  const end = Math.max(total, ...stretches.map(({ from, ms }) => from + ms));
  const ticks = niceTicks(end);
  const width = ticks.at(-1) ?? 1;
  const rows = stretches.map(
    ({ name, from, ms, fill }) =>
      html`<li class="measure">
        <span class="name">${name}</span>${bar([{ length: ms, fill }], { from, of: width })}<span
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
