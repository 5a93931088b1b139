// src/admin: the frame of the admin console, its own pages, endpoints and /metrics; the search page and the reader (`people/`)
import { type DynamicModule, type FactoryProvider, Module, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { ServerSecret } from '../config/server-secret.js';
import { VERSION } from '../core/package-facts.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { ScratchStore } from '../core/ports/scratch-store.port.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { steadyNow, SYSTEM_CLOCK } from '../core/turns/clock.js';
import { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import { ScopedArchive } from '../diagnostics/archive/scoped-archive.js';
import { DiagnosticsModule } from '../diagnostics/diagnostics.module.js';
import { CallerRules } from '../mcp/pipeline/caller-identity.js';
import { Surface } from '../mcp/surface/surface.js';
import { ScopeModule } from '../scope/scope.module.js';
import { ScopeService } from '../scope/scope.service.js';
import { AdminApiController } from './admin-api.controller.js';
import { AdminPageController } from './admin-page.controller.js';
import { AnsweringParts, RecordedCalls, ServerFacts } from './admin-parts.js';
import { consoleFrame, type ConsolePages, OPEN_MENU, openMenu } from './console.pages.js';
import { CallHistory } from './facts/call-history.js';
import { IndexFactsService } from './facts/index-facts.service.js';
import { type AddedCheck, ReadinessService } from './facts/readiness.service.js';
import { FormTokens } from './forms/form-tokens.js';
import { MetricsController } from './metrics.controller.js';
import { OperatorScopesService } from './operator-scopes.service.js';
import type { Frame } from './views/layout.js';

/** Refuses one token for callers and operators: every caller would be an operator. @throws InvalidConfigurationError */
export function checkAdminToken({ admin, http }: Pick<Config, 'admin' | 'http'>): void {
  if (admin.token === '' || admin.token !== http.token) return;
  throw new InvalidConfigurationError([
    'PITH_ADMIN_TOKEN and PITH_HTTP_TOKEN are the same. Choose another PITH_ADMIN_TOKEN.',
  ]);
}

function serverFacts(config: Config, { tools: offered }: Surface, frame: Frame): ServerFacts {
  const retrievals = [...offered.values()].filter(({ definition }) => definition.isRetrieval);
  const tools = retrievals.map(({ definition }) => definition.name);
  return { config, version: VERSION, frame, tools, startedAt: steadyNow(), ...SYSTEM_CLOCK };
}

const FRAME = 'FRAME';
const CHECKS = 'READINESS_CHECKS';

/** The parts that depend on the pages of features. */
const pageProviders = (pages: readonly ConsolePages[]): Provider[] => [
  { provide: OPEN_MENU, useValue: openMenu(pages) },
  {
    provide: FRAME,
    inject: [ModuleRef, CallerRules],
    useFactory: (app: ModuleRef, { hasReader }: CallerRules) => consoleFrame(pages, app, hasReader),
  },
  {
    provide: CHECKS,
    inject: [ModuleRef],
    useFactory: (app: ModuleRef): AddedCheck[] =>
      pages.flatMap(({ checks }) => checks.map(({ part, run }) => ({ part, run: () => run(app) }))),
  },
  ...pages.flatMap(({ providers }) => providers),
];

/** Provides a class that has no decorators. */
const made = <P extends readonly unknown[]>(
  part: new (...parts: P) => object,
  inject: FactoryProvider['inject'],
): Provider => ({ provide: part, inject, useFactory: (...parts: P) => new part(...parts) });

const PROVIDERS: Provider[] = [
  OperatorScopesService,
  {
    provide: ServerFacts,
    inject: [Config, Surface, FRAME],
    useFactory: serverFacts,
  },
  made(RecordedCalls, [ScopedArchive, DiagnosticWriter, CallHistory]),
  made(AnsweringParts, [SectionIndex, GraphStore, ScratchStore, ScopeService]),
  {
    provide: FormTokens,
    inject: [ServerSecret],
    useFactory: ({ secret }: ServerSecret) => new FormTokens(secret, Date.now),
  },
  made(ReadinessService, [ServerFacts, AnsweringParts, DiagnosticWriter, CHECKS]),
  IndexFactsService,
];

/** The observer that the admin console adds to `TelemetryModule`. */
export const CALL_HISTORY: FactoryProvider<CallHistory> = {
  provide: CallHistory,
  useFactory: () => new CallHistory(steadyNow),
};

/** The admin console: `/admin` and `/metrics` of the HTTP server. main.http adds it if an admin token is set or a principal may sign in. */
@Module({
  imports: [DiagnosticsModule, ScopeModule],
  controllers: [MetricsController, AdminApiController],
  providers: PROVIDERS,
})
export class AdminModule {
  /** @param telemetry  observes calls with `CALL_HISTORY` */
  static register(telemetry: DynamicModule, pages: readonly ConsolePages[]): DynamicModule {
    return {
      module: AdminModule,
      imports: [telemetry, ...pages.flatMap(({ imports }) => imports)],
      // The console's own pages come last because they answer every path that the others don't.
      controllers: [...pages.flatMap(({ controllers }) => controllers), AdminPageController],
      providers: pageProviders(pages),
    };
  }
}
