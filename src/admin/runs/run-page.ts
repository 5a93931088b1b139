import type { Ref } from '../../core/ledger/ref.js';
import { formatBytes, formatCount, formatMs } from '../../diagnostics/report/format.js';
import { bar } from '../views/bar.js';
import { factList } from '../views/card.js';
import { type Html, html, type Part } from '../views/html.js';
import { page } from '../views/layout.js';
import { pager } from '../views/pager.js';
import { type PageColumn, table } from '../views/table.js';
import type { RunCall, RunTimeline } from './read-runs.js';
import { runAddress, timeOf } from './runs-page.js';
import type { RunPlace } from './runs-query.js';

/** Start and end of a call, in milliseconds since the epoch. */
function spanOf({ startedAt, ended }: RunCall): { readonly from: number; readonly to: number } {
  const to = Date.parse(ended?.at ?? startedAt ?? '');
  return { from: startedAt === null ? to : Date.parse(startedAt), to };
}

function refText({ type, id }: Ref): Html {
  const name = html`<bdi class="id">${id}</bdi>`;
  const shown =
    type === 'diagnostic' ? html`<a href="/admin/retrievals/${encodeURIComponent(id)}">${name}</a>` : name;
  return html`<li>${type} ${shown}</li>`;
}

function refsOf({ ended }: RunCall): Part {
  const { refs = [], refs_omitted: omitted = 0 } = ended?.event ?? {};
  if (refs.length === 0) return null;
  return html`<details>
    <summary>${formatCount(refs.length + omitted)}</summary>
    <ul>
      ${refs.map(refText)}
    </ul>
  </details>`;
}

function argumentsOf({ argumentsText }: RunCall): Part {
  if (argumentsText === null) return null;
  return html`<details>
    <summary>Show</summary>
    <code class="id"><bdi>${argumentsText}</bdi></code>
  </details>`;
}

function outcomeOf({ ended }: RunCall): Part {
  if (!ended) return html`<em>no end recorded</em>`;
  const { outcome, error_code: code, reason } = ended.event;
  const why = [code, reason].filter((each) => typeof each === 'string').join(', ');
  return why === '' ? outcome.replace('_', ' ') : `${outcome.replace('_', ' ')} (${why})`;
}

const decided = ({ rule, effect }: RunCall): Part =>
  rule === null ? null : html`${effect} <bdi class="id">${rule}</bdi>`;

function columnsFor(calls: readonly RunCall[]): readonly PageColumn<RunCall>[] {
  const spans = calls.map(spanOf);
  const start = Math.min(...spans.map(({ from }) => from));
  const width = Math.max(...spans.map(({ to }) => to)) - start;
  const place = (call: RunCall): Html => {
    const { from, to } = spanOf(call);
    const fill = call.ended?.event.outcome === 'success' ? 'c2' : 'c6';
    // A call that takes no time is also visible.
    const length = Math.max(to - from, width / 200, 1);
    return bar([{ length, fill }], { from: Math.min(from - start, width), of: Math.max(width, 1) });
  };
  return [
    { name: 'Tool', isHead: true, cell: ({ tool }) => html`<bdi>${tool}</bdi>` },
    { name: 'Start', cell: ({ startedAt, ended }) => timeOf(startedAt ?? ended?.at ?? '') },
    { name: 'Timeline', cell: place },
    { name: 'Duration', isNumber: true, cell: ({ ended }) => ended && formatMs(ended.event.duration_ms) },
    { name: 'Outcome', cell: outcomeOf },
    { name: 'Decided by', cell: decided },
    { name: 'Agent', cell: ({ agent }) => html`<bdi>${agent}</bdi>` },
    { name: 'Size', isNumber: true, cell: ({ ended }) => ended && formatBytes(ended.event.bytes) },
    { name: 'Tokens', isNumber: true, cell: ({ ended }) => ended && formatCount(ended.event.tokens) },
    { name: 'Refs', cell: refsOf },
    ...(calls.some(({ argumentsText }) => argumentsText !== null)
      ? [{ name: 'Arguments', cell: argumentsOf }]
      : []),
  ];
}

/** The calls of a run, in order. */
export function runPage(run: RunTimeline, { after }: RunPlace, version: string): string {
  const { runId, principal, calls, next } = run;
  const rows = table({ caption: 'Calls, oldest first', rows: calls, columns: columnsFor(calls) });
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
