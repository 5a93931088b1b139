import { type DynamicModule, Module } from '@nestjs/common';
import { PeopleFacts, SearchPageController } from './page.controller.js';
import { PageCalls } from './page-calls.service.js';

/** The search page and the reader of documents. main.http adds it unless PITH_SEARCH_PAGE is off. */
@Module({ controllers: [SearchPageController] })
export class PeopleModule {
  /** @param telemetry  exports the writer of diagnostics */
  static register(telemetry: DynamicModule, facts: PeopleFacts): DynamicModule {
    return {
      module: PeopleModule,
      imports: [telemetry],
      providers: [PageCalls, { provide: PeopleFacts, useValue: facts }],
    };
  }
}
