import { z } from 'zod';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { instantSchema, parseQuery, typedText } from '../../../admin/admin-query.js';
import { inputField, type SelectChoice, selectField } from '../../../admin/views/fields.js';
import { type Html, html } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listAddress, type PageColumn, pager, table } from '../../../admin/views/table.js';
import { formatCount, formatTime } from '../../../diagnostics/report/format.js';
import { CALL_OUTCOMES } from '../../ledger/ledger-event.js';
import type { LedgerRun, RunPage, RunQuery } from '../../ledger/ledger-line.js';

const word = typedText(256);
/** Sequence number of a line. */
const line = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Longest id of a run in the ledger. */
const MAX_RUN = 512;
const ROWS = 50;

const runsSchema = z.strictObject({
  principal: word.optional(),
  agent: word.optional(),
  outcome: z.enum(CALL_OUTCOMES).optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
  before: line.optional(),
});

/** Filters of the list of runs, named as in URLs. */
type RunsQuery = z.output<typeof runsSchema>;

const runSchema = z.strictObject({ id: z.string().min(1).max(MAX_RUN), after: line.default(0) });

/** A run and the line after which its page begins. */
export type RunPlace = z.output<typeof runSchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseRunsQuery = (query: unknown): RunsQuery => parseQuery(runsSchema, query);

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseRunPlace = (query: unknown): RunPlace => parseQuery(runSchema, query);

export const toRunQuery = ({ since, ...query }: RunsQuery): RunQuery => ({
  ...query,
  from: since,
  limit: ROWS,
});

export function noRun(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'The run ledger has no lines of this run.',
    'Lines are removed after PITH_LEDGER_RETENTION_DAYS. The runs that are kept are at /admin/runs.',
  );
}

export function noLedger(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'This server has no run ledger.',
    'Set PITH_LEDGER=on and start the server again.',
  );
}

/** The address of the page of a run. */
export const runAddress = (id: string, after = 0): string =>
  `/admin/runs/run?${new URLSearchParams({ id, ...(after > 0 ? { after: String(after) } : {}) }).toString()}`;

/** A time as text for people and machines. */
export const timeOf = (iso: string): Html => html`<time datetime="${iso}">${formatTime(iso)}</time>`;

const outcomesText = ({ outcomes }: LedgerRun): string =>
  CALL_OUTCOMES.flatMap((outcome) => {
    const count = outcomes[outcome];
    return count === undefined ? [] : [`${formatCount(count)} ${outcome.replace('_', ' ')}`];
  }).join(', ');

const COLUMNS: readonly PageColumn<LedgerRun>[] = [
  {
    name: 'Run',
    isHead: true,
    isWide: true,
    cell: ({ runId }) => html`<a class="id" href="${runAddress(runId)}"><bdi>${runId}</bdi></a>`,
  },
  { name: 'Last line', cell: ({ endedAt }) => timeOf(endedAt) },
  { name: 'First line', cell: ({ startedAt }) => timeOf(startedAt) },
  { name: 'Principal', cell: ({ principal }) => html`<bdi>${principal}</bdi>` },
  { name: 'Agent', cell: ({ agent }) => html`<bdi>${agent}</bdi>` },
  { name: 'Calls', cell: (run) => outcomesText(run) || null },
];

const OUTCOMES: readonly SelectChoice[] = [
  ['', 'any'],
  ...CALL_OUTCOMES.map((outcome) => [outcome, outcome.replace('_', ' ')] as const),
];

function filters(query: RunsQuery): Html {
  const input = (name: 'principal' | 'agent' | 'since' | 'until', label: string): Html => {
    const type = name === 'since' || name === 'until' ? 'datetime-local' : 'text';
    return inputField({ name, label, value: query[name] ?? '', type });
  };
  return html`<form method="get" action="/admin/runs" class="filters" aria-label="Filter runs">
    <div class="fields">
      ${input('principal', 'Principal')} ${input('agent', 'Agent')}
      ${selectField({ name: 'outcome', label: 'With a call', value: query.outcome ?? '', choices: OUTCOMES })}
      ${input('since', 'Used since (UTC)')} ${input('until', 'Last used before (UTC)')}
    </div>
    <p class="actions"><button>Filter</button> <a href="/admin/runs">Clear</a></p>
  </form>`;
}

const addressOf = (query: RunsQuery): string => listAddress('/admin/runs', query);

function nothing(hasOlder: boolean): Html {
  return hasOlder
    ? html`<p class="empty">
        No run matches in the lines that were searched. Choose <em>Older</em> to search further.
      </p>`
    : html`<p class="empty">No recorded run matches. <a href="/admin/runs">Show all</a></p>`;
}

/** The runs in the ledger, the last used one first. */
export function runsPage({ runs, older }: RunPage, query: RunsQuery, frame: Frame): string {
  const rows = table({ caption: 'Last used first', rows: runs, columns: COLUMNS });
  return page({
    title: 'Runs',
    place: '/admin/runs',
    frame,
    content: html`<h1>Runs</h1>
      <p class="lead">
        A run is a group of calls in the run ledger: the calls of one principal that have the same name in
        <code>_meta["pith/run_id"]</code>, or else all calls of a session.
      </p>
      <div class="card">
        ${filters(query)} ${runs.length > 0 ? rows : nothing(older !== null)}
        ${pager({
          of: 'the list',
          first: query.before === undefined ? null : addressOf({ ...query, before: undefined }),
          next: older === null ? null : addressOf({ ...query, before: older }),
        })}
      </div>`,
  });
}
