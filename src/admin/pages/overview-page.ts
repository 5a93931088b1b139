import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { ListQuery } from '../admin-query.js';
import type { HistorySeries } from '../facts/call-history.js';
import { filterForm } from '../views/filter-form.js';
import { historyCharts } from '../views/history-charts.js';
import { html } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { retrievalTable } from '../views/retrieval-table.js';
import { type ServerState, stateStrip } from '../views/state-strip.js';

export interface Overview {
  readonly state: ServerState;
  readonly history: HistorySeries;
  readonly list: DiagnosticPage;
  readonly query: ListQuery;
  readonly tools: readonly string[];
  readonly frame: Frame;
}

/** State and history of the server, and its recent retrievals. */
export function overviewPage({ state, history, list, query, tools, frame }: Overview): string {
  return page({
    title: 'Retrievals',
    place: '/admin',
    frame,
    content: html`<h1>Retrievals</h1>
      <p class="lead">The state of the server, and its recent retrievals: calls that search the documents.</p>
      ${stateStrip(state)} ${historyCharts(history)}
      <section aria-labelledby="retrievals">
        <h2 id="retrievals">Recent retrievals</h2>
        <div class="card">${filterForm(query, tools)}${retrievalTable(list, query)}</div>
      </section>`,
  });
}
