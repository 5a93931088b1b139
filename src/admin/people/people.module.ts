import { type DynamicModule, Module } from '@nestjs/common';
import { SearchPageController } from './page.controller.js';
import { PageCalls } from './page-calls.service.js';
import { WelcomeController } from './welcome.controller.js';

/** The page of a server without a search page. */
@Module({ controllers: [WelcomeController] })
export class WelcomeModule {}

/** The search page and the reader of documents. main.http adds it unless PITH_SEARCH_PAGE is off. */
@Module({ controllers: [SearchPageController], providers: [PageCalls] })
export class PeopleModule {
  /** @param telemetry  exports the writer of diagnostics */
  static register(telemetry: DynamicModule): DynamicModule {
    return { module: PeopleModule, imports: [telemetry] };
  }
}
