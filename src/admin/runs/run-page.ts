import { factList } from '../views/card.js';
import { html } from '../views/html.js';
import { page } from '../views/layout.js';
import { pager } from '../views/pager.js';
import { table } from '../views/table.js';
import type { RunTimeline } from './read-runs.js';
import { columnsFor } from './run-columns.js';
import { runAddress } from './runs-page.js';
import type { RunPlace } from './runs-query.js';

/** The calls and approvals of a run, in order. */
export function runPage(run: RunTimeline, { after }: RunPlace, version: string): string {
  const { runId, principal, entries, next } = run;
  const rows = table({ caption: 'Oldest first', rows: entries, columns: columnsFor(entries) });
  return page({
    title: 'Run',
    place: '/admin/runs',
    version,
    content: html`<h1>Run <bdi class="id">${runId}</bdi></h1>
      ${factList([['Principal', html`<bdi>${principal}</bdi>`]])}
      <section class="card" aria-labelledby="calls">
        <h2 id="calls">Timeline</h2>
        ${rows}
        ${pager({
          of: 'the run',
          first: after > 0 ? runAddress(runId) : null,
          next: next === null ? null : runAddress(runId, next),
          words: ['First', 'Later'],
        })}
      </section>`,
  });
}
