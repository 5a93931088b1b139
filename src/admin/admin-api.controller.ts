import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { recordOutcome } from '../diagnostics/archive/diagnostic-filter.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import { type Principal, principalOf } from '../mcp/principals.js';
import { AdminController, SignedIn } from './admin.guard.js';
import { RecordedCalls, ServerFacts } from './admin-parts.js';
import { noDiagnostic, parseId, parseListQuery, toFilter } from './admin-query.js';
import { IndexFactsService } from './facts/index-facts.service.js';
import { ReadinessService } from './facts/readiness.service.js';
import { settingsFacts } from './facts/settings-facts.js';

const DEFAULT_LIMIT = 50;

function toSummary(record: DiagnosticRecord) {
  const { counts, budgets, error } = record;
  const { diagnostic_id, timestamp, transport, tool, session_id, principal } = record;
  const call = { diagnostic_id, timestamp, transport, tool, session_id, principal };
  return {
    ...call,
    /** Null unless texts are stored. */
    query: record.query.raw,
    outcome: recordOutcome(record),
    error: error && { code: error.code, reason: error.reason },
    answerable: record.answerable,
    candidates: counts.candidates_initial,
    returned: counts.returned,
    total_ms: record.timing_ms.total,
    partial: budgets.partial,
    limit_reason: budgets.limit_reason,
    degraded: record.degraded,
  };
}

/** JSON endpoints for programs of operators. */
@AdminController('admin')
export class AdminApiController {
  constructor(
    private readonly server: ServerFacts,
    private readonly recorded: RecordedCalls,
    private readonly readiness: ReadinessService,
    private readonly facts: IndexFactsService,
  ) {}

  @Get('diagnostics')
  async list(@Query() given: unknown, @SignedIn() { scope }: Principal) {
    const query = parseListQuery(given);
    const { records, next, isComplete } = await this.recorded.archive.within(scope).list(toFilter(query), {
      limit: query.limit ?? DEFAULT_LIMIT,
      before: query.cursor,
    });
    return { diagnostics: records.map(toSummary), next_cursor: next, is_complete: isComplete };
  }

  /** A record as JSON, or as Markdown if the path ends in `.md` or `Accept` prefers it. */
  @Get('diagnostics/:id')
  async one(@Param('id') given: string, @Req() request: Request, @Res() response: Response) {
    const archive = this.recorded.archive.within(principalOf(request).scope);
    const id = parseId(given.replace(/\.(?:md|json)$/, ''));
    const accepted = given.endsWith('.json') ? 'json' : request.accepts(['json', 'text/markdown']);
    response.vary('Accept');
    if (given.endsWith('.md') || accepted === 'text/markdown') {
      const markdown = await archive.markdown(id);
      if (markdown === null) throw noDiagnostic();
      return response.type('text/markdown; charset=utf-8').send(markdown);
    }
    const record = await archive.find(id);
    if (!record) throw noDiagnostic();
    return response.json(record);
  }

  @Get('health')
  health() {
    const { version, startedAt, steady } = this.server;
    const uptime = Math.floor((steady() - startedAt) / 1000);
    return { alive: true, version, uptime_s: uptime, diagnostics: this.recorded.writer.counters() };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response) {
    const readiness = await this.readiness.check();
    response.status(readiness.ready ? 200 : 503);
    return readiness;
  }

  @Get('config')
  config() {
    return { groups: settingsFacts(this.server.config) };
  }

  @Get('index')
  index(@SignedIn() { scope }: Principal) {
    return this.facts.report(scope);
  }
}
