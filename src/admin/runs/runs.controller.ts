import { Controller, Get, Header, Inject, Query, UseFilters, UseGuards } from '@nestjs/common';
import { Ledger } from '../../core/ports/ledger.port.js';
import type { Principal } from '../../mcp/principals.js';
import { AdminFilter } from '../admin.filter.js';
import { AdminGuard, SignedIn } from '../admin.guard.js';
import { ServerFacts } from '../admin-parts.js';
import { OperatorScopesService } from '../operator-scopes.service.js';
import { findRuns, readTimeline } from './read-runs.js';
import { runPage } from './run-page.js';
import { runsPage } from './runs-page.js';
import { noLedger, noRun, parseRunPlace, parseRunsQuery, toRunQuery } from './runs-query.js';

const HTML = 'text/html; charset=utf-8';

/** Pages about the run ledger. */
@Controller('admin/runs')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class RunsController {
  constructor(
    private readonly server: ServerFacts,
    @Inject(Ledger) private readonly ledger: Ledger | null,
    private readonly scopes: OperatorScopesService,
  ) {}

  @Get()
  @Header('Content-Type', HTML)
  async list(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const query = parseRunsQuery(given);
    const { version, now } = this.server;
    const scope = await this.scopes.of(operator);
    const within = { ...toRunQuery(query), ...(scope && { scope }) };
    return runsPage(await findRuns(this.openLedger(), within, now), query, version);
  }

  /** The id is in the query, because ids of runs may be `.` or `..`. */
  @Get('run')
  @Header('Content-Type', HTML)
  async run(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const place = parseRunPlace(given);
    const scope = await this.scopes.of(operator);
    const { id: runId, after } = place;
    const timeline = await readTimeline(this.openLedger(), { runId, after, scope });
    if (!timeline) throw noRun();
    return runPage(timeline, place, this.server.version);
  }

  private openLedger(): Ledger {
    if (!this.ledger) throw noLedger();
    return this.ledger;
  }
}
