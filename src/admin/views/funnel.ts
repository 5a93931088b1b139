import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { formatCount } from '../../diagnostics/report/format.js';
import { funnelOf, type FunnelStep, wordsForLoss } from '../../diagnostics/report/lost-sections.js';
import { bar } from './bar.js';
import { card, measure } from './card.js';
import { type Html, html } from './html.js';

function step({ name, count, losses }: FunnelStep, widest: number): Html {
  const lost = losses.map(
    ({ reason, count: gone }) =>
      html`<li><span class="minus">− ${formatCount(gone)}</span> ${wordsForLoss(reason)}</li>`,
  );
  return html`<li>
    ${
      lost.length > 0 &&
      html`<ul class="lost">
        ${lost}
      </ul>`
    }
    <div class="measure">
      ${measure(name, bar([{ length: count, fill: 'c1' }], { of: widest }), formatCount(count))}
    </div>
  </li>`;
}

/** The steps from matched to returned sections; the numbers add up. */
export function funnel(record: Pick<DiagnosticRecord, 'counts'>): Html {
  const steps = funnelOf(record);
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  const content =
    record.counts.candidates_initial === 0
      ? html`<p class="unit">No section matched.</p>`
      : html`<p class="unit">Sections</p>
          <ol class="funnel">
            ${steps.map((one) => step(one, widest))}
          </ol>`;
  return card('funnel', 'Sections dropped', content);
}
