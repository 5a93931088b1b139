import { Inject, Query } from '@nestjs/common';
import { Ledger } from '../../core/ports/ledger.port.js';
import type { Principal } from '../../mcp/principals.js';
import { AdminController, HtmlPage, SignedIn } from '../admin.guard.js';
import { ServerFacts } from '../admin-parts.js';
import { OperatorScopesService } from '../operator-scopes.service.js';
import { findRuns, readTimeline } from './read-runs.js';
import { runPage } from './run-page.js';
import { runsPage } from './runs-page.js';
import { noLedger, noRun, parseRunPlace, parseRunsQuery, toRunQuery } from './runs-query.js';

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
