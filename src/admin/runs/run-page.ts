import { factList } from '../views/card.js';
import { html, type Part } from '../views/html.js';
import { type Frame, page } from '../views/layout.js';
import { pager } from '../views/pager.js';
import { table } from '../views/table.js';
import type { RunTimeline } from './read-runs.js';
import { columnsFor } from './run-columns.js';
import { runAddress } from './runs-page.js';
import type { RunPlace } from './runs-query.js';

/** The run as the events on this page describe it. On the last page, its status is the present one. */
function factsOf({ principal, entries, next }: RunTimeline): (readonly [string, Part])[] {
  const events = entries.flatMap((entry) => (entry.kind === 'mark' ? [entry.event] : []));
  const created = events.find((event) => event.type === 'run.created');
  const status = events.findLast(({ type }) => type !== 'run.step' && type !== 'run.checkpoint')?.type;
  return [
    ['Principal', html`<bdi>${principal}</bdi>`],
    ...(created ? [['Type', html`<bdi>${created.run_type}</bdi>`] as const] : []),
    ...(created && created.name !== null ? [['Name', html`<bdi>${created.name}</bdi>`] as const] : []),
    ...(status !== undefined && next === null ? [['Status', status.slice('run.'.length)] as const] : []),
  ];
}

/** The calls, approvals and events of a run, in order. */
export function runPage(run: RunTimeline, { after }: RunPlace, frame: Frame): string {
  const { runId, entries, next } = run;
  const rows = table({ caption: 'Oldest first', rows: entries, columns: columnsFor(entries) });
  return page({
    title: 'Run',
    place: '/admin/runs',
    frame,
    content: html`<h1>Run <bdi class="id">${runId}</bdi></h1>
      ${factList(factsOf(run))}
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
