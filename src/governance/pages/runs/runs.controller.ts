import { Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { AdminController, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { instantSchema, parseQuery, typedText } from '../../../admin/admin-query.js';
import { OperatorScopesService } from '../../../admin/operator-scopes.service.js';
import { card, factList } from '../../../admin/views/card.js';
import { filterForm, inputField, type SelectChoice, selectField } from '../../../admin/views/fields.js';
import { type Html, html, type Part, timeAt } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listTable, type PageColumn, pager, table } from '../../../admin/views/table.js';
import { formatCount } from '../../../diagnostics/report/format.js';
import type { Principal } from '../../../mcp/principals.js';
import { Ledger } from '../../ledger/ledger.js';
import { CALL_OUTCOMES } from '../../ledger/ledger-event.js';
import type { LedgerRun, RunPage, RunQuery } from '../../ledger/ledger-line.js';
import { findRuns, readTimeline, type RunTimeline } from './read-runs.js';
import { columnsFor } from './run-columns.js';

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
type RunPlace = z.output<typeof runSchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseRunsQuery = (query: unknown): RunsQuery => parseQuery(runsSchema, query);

const toRunQuery = ({ since, ...query }: RunsQuery): RunQuery => ({
  ...query,
  from: since,
  limit: ROWS,
});

function noRun(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'The run ledger has no lines of this run.',
    'Lines are removed after PITH_LEDGER_RETENTION_DAYS. The runs that are kept are at /admin/runs.',
  );
}

function noLedger(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'This server has no run ledger.',
    'Set PITH_LEDGER=on and start the server again.',
  );
}

/** The address of the page of a run. */
export const runAddress = (id: string): string => `/admin/runs/run?${new URLSearchParams({ id }).toString()}`;

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
  { name: 'Last line', cell: ({ endedAt }) => timeAt(endedAt) },
  { name: 'First line', cell: ({ startedAt }) => timeAt(startedAt) },
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
  return filterForm({
    action: '/admin/runs',
    label: 'Filter runs',
    fields: html`${input('principal', 'Principal')} ${input('agent', 'Agent')}
    ${selectField({ name: 'outcome', label: 'With a call', value: query.outcome ?? '', choices: OUTCOMES })}
    ${input('since', 'Used since (UTC)')} ${input('until', 'Last used before (UTC)')}`,
  });
}

function nothing(hasOlder: boolean): Html {
  return hasOlder
    ? html`No run matches in the lines that were searched. Choose <em>Older</em> to search further.`
    : html`No recorded run matches. <a href="/admin/runs">Show all</a>`;
}

/** The runs in the ledger, the last used one first. */
function runsPage({ runs, older }: RunPage, query: RunsQuery, frame: Frame): string {
  const list = listTable({
    caption: 'Last used first',
    rows: runs,
    columns: COLUMNS,
    empty: nothing(older !== null),
    pages: { path: '/admin/runs', query, by: 'before', next: older },
  });
  return page({
    title: 'Runs',
    place: '/admin/runs',
    frame,
    lead: html`A run is a group of calls in the run ledger: the calls of one principal that have the same name
      in <code>_meta["pith/run_id"]</code>, or else all calls of a session.`,
    content: html`<div class="card">${filters(query)} ${list}</div>`,
  });
}

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
  const pages = pager({
    path: '/admin/runs/run',
    query: { id: runId, after: after > 0 ? after : undefined },
    by: 'after',
    next,
    of: 'the run',
    words: ['First', 'Later'],
  });
  return page({
    title: 'Run',
    place: '/admin/runs',
    frame,
    content: html`<h1>Run <bdi class="id">${runId}</bdi></h1>
      ${factList(factsOf(run))} ${card('calls', 'Timeline', html`${rows} ${pages}`)}`,
  });
}

/** Pages about the run ledger. */
@AdminController('admin/runs')
export class RunsController {
  constructor(
    private readonly server: ServerFacts,
    @Inject(Ledger) private readonly ledger: Ledger | null,
    private readonly scopes: OperatorScopesService,
  ) {}

  @HtmlPage()
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const query = parseRunsQuery(given);
    const { frame, now } = this.server;
    const scope = await this.scopes.of(operator);
    const within = { ...toRunQuery(query), ...(scope && { scope }) };
    return runsPage(await findRuns(this.openLedger(), within, now), query, frame);
  }

  /** The id is in the query, because ids of runs may be `.` or `..`. */
  @HtmlPage('run')
  async run(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const place = parseQuery(runSchema, given);
    const scope = await this.scopes.of(operator);
    const { id: runId, after } = place;
    const timeline = await readTimeline(this.openLedger(), { runId, after, scope });
    if (!timeline) throw noRun();
    return runPage(timeline, place, this.server.frame);
  }

  private openLedger(): Ledger {
    if (!this.ledger) throw noLedger();
    return this.ledger;
  }
}
