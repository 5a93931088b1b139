import { All, Controller, Get, Header, Param, Query, UseFilters, UseGuards } from '@nestjs/common';
import { AdminFailure } from './admin-failure.js';
import { AdminFilter } from './admin.filter.js';
import { AdminGuard } from './admin.guard.js';
import { AdminParts } from './admin-parts.js';
import {
  noDiagnostic,
  parseId,
  parseListQuery,
  parseSectionQuery,
  parseSettingsQuery,
  toFilter,
} from './admin-query.js';
import { IndexFactsService } from './facts/index-facts.service.js';
import { ReadinessService } from './facts/readiness.service.js';
import { settingsFacts } from './facts/settings-facts.js';
import { corpusPage } from './pages/corpus-page.js';
import { overviewPage } from './pages/overview-page.js';
import { retrievalPage } from './pages/retrieval-page.js';
import { settingsPage } from './pages/settings-page.js';

const ROWS = 25;
const HTML = 'text/html; charset=utf-8';

/** Pages for people. */
@Controller('admin')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class AdminPageController {
  constructor(
    private readonly parts: AdminParts,
    private readonly readiness: ReadinessService,
    private readonly facts: IndexFactsService,
  ) {}

  @Get()
  @Header('Content-Type', HTML)
  async overview(@Query() given: unknown): Promise<string> {
    const query = parseListQuery(given);
    const { diagnostics, writer, history, config, version, startedAt, now } = this.parts;
    const [readiness, list] = await Promise.all([
      this.readiness.check(),
      diagnostics.list(toFilter(query), { limit: query.limit ?? ROWS, before: query.cursor }),
    ]);
    const series = history.series(now());
    const counters = writer.counters();
    return overviewPage({
      state: {
        readiness,
        counters,
        uptimeMs: now() - startedAt,
        diagnostics: config.server.noLog ? null : config.diagnostics,
      },
      history: series,
      list,
      query,
      tools: this.parts.tools,
      version,
    });
  }

  @Get('retrievals/:id')
  @Header('Content-Type', HTML)
  async retrieval(@Param('id') id: string, @Query() given: unknown): Promise<string> {
    const section = parseSectionQuery(given);
    const record = await this.parts.diagnostics.find(parseId(id));
    if (!record) throw noDiagnostic();
    return retrievalPage(record, section, this.parts.version);
  }

  @Get('settings')
  @Header('Content-Type', HTML)
  settings(@Query() given: unknown): string {
    const { config, version } = this.parts;
    return settingsPage(settingsFacts(config), parseSettingsQuery(given), version);
  }

  @Get('corpus')
  @Header('Content-Type', HTML)
  async corpus(): Promise<string> {
    return corpusPage(await this.facts.tell(), this.parts.version);
  }

  /** All else needs the token, too, to be told that it is not there. */
  @All(['', '*path'])
  nothing(): never {
    throw new AdminFailure('NOT_FOUND', 'Page not found.', 'Start at /admin.');
  }
}
