import { Inject, Query } from '@nestjs/common';
import { AdminController, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { OperatorScopesService } from '../../../admin/operator-scopes.service.js';
import { card, factList } from '../../../admin/views/card.js';
import { html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { pager, table } from '../../../admin/views/table.js';
import type { Principal } from '../../../mcp/principals.js';
import { Ledger } from '../../ledger/ledger.js';
import { findRuns, readTimeline, type RunTimeline } from './read-runs.js';
import { columnsFor } from './run-columns.js';
import {
  noLedger,
  noRun,
  parseRunPlace,
  parseRunsQuery,
  type RunPlace,
  runsPage,
  toRunQuery,
} from './runs-page.js';

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
    const place = parseRunPlace(given);
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
