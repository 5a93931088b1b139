import { All, Param, Query } from '@nestjs/common';
import type { Principal } from '../mcp/principals.js';
import { AdminController, HtmlPage, SignedIn } from './admin.guard.js';
import { AdminFailure } from './admin-failure.js';
import { RecordedCalls, ServerFacts } from './admin-parts.js';
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

/** Pages for people. */
@AdminController('admin')
export class AdminPageController {
  constructor(
    private readonly server: ServerFacts,
    private readonly recorded: RecordedCalls,
    private readonly readiness: ReadinessService,
    private readonly facts: IndexFactsService,
  ) {}

  @HtmlPage()
  async overview(@Query() given: unknown, @SignedIn() { scope }: Principal): Promise<string> {
    const query = parseListQuery(given);
    const { archive, writer, history } = this.recorded;
    const { config, frame, tools, startedAt, now, steady } = this.server;
    const [readiness, list] = await Promise.all([
      this.readiness.check(),
      archive.within(scope).list(toFilter(query), { limit: query.limit ?? ROWS, before: query.cursor }),
    ]);
    return overviewPage({
      state: {
        readiness,
        counters: writer.counters(),
        uptimeMs: steady() - startedAt,
        diagnostics: config.server.noLog ? null : config.diagnostics,
      },
      history: history.series(now()),
      list,
      query,
      tools,
      frame,
    });
  }

  @HtmlPage('retrievals/:id')
  async retrieval(
    @Param('id') id: string,
    @Query() given: unknown,
    @SignedIn() { scope }: Principal,
  ): Promise<string> {
    const section = parseSectionQuery(given);
    const record = await this.recorded.archive.within(scope).find(parseId(id));
    if (!record) throw noDiagnostic();
    return retrievalPage(record, section, this.server.frame);
  }

  @HtmlPage('settings')
  settings(@Query() given: unknown): string {
    const { config, frame } = this.server;
    return settingsPage(settingsFacts(config), parseSettingsQuery(given), frame);
  }

  @HtmlPage('corpus')
  async corpus(@SignedIn() { scope }: Principal): Promise<string> {
    return corpusPage(await this.facts.report(scope), this.server.frame);
  }

  /** Unknown paths need the token, too. */
  @All(['', '*path'])
  nothing(): never {
    throw new AdminFailure('NOT_FOUND', 'Page not found.', 'Start at /admin.');
  }
}
