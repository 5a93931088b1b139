// src/admin: the admin console: pages, endpoints and /metrics
import { type DynamicModule, type FactoryProvider, Module, type Provider } from '@nestjs/common';
import { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { ServerSecret } from '../config/server-secret.js';
import { VERSION } from '../core/package-facts.js';
import { ApprovalStore } from '../governance/approvals/approval-store.port.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { Ledger } from '../governance/ledger/ledger.port.js';
import { ProviderPins } from '../governance/providers/provider-pins.port.js';
import { ScratchStore } from '../core/ports/scratch-store.port.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { ClaimStore } from '../work/claims/claim-store.port.js';
import { CorpusStore } from '../work/corpora/corpus-store.port.js';
import { PointerStore } from '../work/substrate/pointers/pointer-store.port.js';
import { steadyNow, SYSTEM_CLOCK } from '../core/turns/clock.js';
import { DiagnosticArchive } from '../diagnostics/archive/diagnostic-archive.js';
import { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import { ScopedArchive } from '../diagnostics/archive/scoped-archive.js';
import { DiagnosticsModule } from '../diagnostics/diagnostics.module.js';
import { QuoteVerifierService } from '../work/claims/evidence/quote-verifier.service.js';
import { ManifestFilesService } from '../work/substrate/manifests/manifest-files.service.js';
import { OperatorDecisions } from '../governance/approvals/operator-decisions.js';
import { GovernanceService } from '../governance/governance.service.js';
import { CallLedger } from '../governance/ledger/call-ledger.js';
import { PROVIDERS as EXTERNAL_SERVERS } from '../governance/providers/provider-tools.controller.js';
import type { Providers } from '../governance/providers/providers.js';
import { ProvidersModule } from '../governance/providers/providers.module.js';
import { Surface } from '../mcp/surface/surface.js';
import { ScopeModule } from '../scope/scope.module.js';
import { ScopeService } from '../scope/scope.service.js';
import { AdminApiController } from './admin-api.controller.js';
import { AdminPageController } from './admin-page.controller.js';
import { AnsweringParts, RecordedCalls, ServerFacts } from './admin-parts.js';
import { ApprovalParts } from '../governance/pages/approvals/approval-parts.js';
import { ApprovalsController } from '../governance/pages/approvals/approvals.controller.js';
import { ClaimParts, ClaimsController } from '../work/pages/claims/claims.controller.js';
import { CorporaController, CorpusParts } from '../work/pages/corpora/corpora.controller.js';
import { CallHistory } from './facts/call-history.js';
import { IndexFactsService } from './facts/index-facts.service.js';
import { ReadinessService } from './facts/readiness.service.js';
import { FormTokens } from './forms/form-tokens.js';
import { MetricsController } from './metrics.controller.js';
import { OperatorScopesService } from './operator-scopes.service.js';
import { hiddenPages } from './pages/hidden-pages.js';
import { PointerParts, PointersController } from '../work/pages/pointers/pointers.controller.js';
import { PolicyController, PolicyParts } from '../governance/pages/policy/policy.controller.js';
import { ProviderParts, ProvidersController } from '../governance/pages/providers/providers.controller.js';
import { RunsController } from '../governance/pages/runs/runs.controller.js';
import { ToolHistoryController } from '../governance/pages/tools/tool-history.controller.js';
import { ToolsPageController } from '../governance/pages/tools/tools-page.controller.js';

/** Refuses one token for callers and operators: every caller would be an operator. @throws InvalidConfigurationError */
export function checkAdminToken({ admin, http }: Pick<Config, 'admin' | 'http'>): void {
  if (admin.token === '' || admin.token !== http.token) return;
  throw new InvalidConfigurationError([
    'PITH_ADMIN_TOKEN and PITH_HTTP_TOKEN are the same. Choose another PITH_ADMIN_TOKEN.',
  ]);
}

function serverFacts(
  config: Config,
  { tools: offered }: Surface,
  ...[{ needsApprovals }, ledger, providers]: [GovernanceService, Ledger | null, Providers | null]
): ServerFacts {
  const retrievals = [...offered.values()].filter(({ definition }) => definition.isRetrieval);
  const tools = retrievals.map(({ definition }) => definition.name);
  const frame = {
    version: VERSION,
    hidden: hiddenPages({
      offered: config.domains.offered,
      needsApprovals,
      hasLedger: ledger !== null,
      hasProviders: providers !== null,
    }),
  };
  return { config, version: VERSION, frame, tools, startedAt: steadyNow(), ...SYSTEM_CLOCK };
}

function approvalParts(
  { needsApprovals }: GovernanceService,
  ...[store, decisions, tokens]: [ApprovalStore, OperatorDecisions, FormTokens]
): ApprovalParts {
  return new ApprovalParts(needsApprovals, store, decisions, tokens);
}

function providerParts(
  providers: Providers | null,
  ...[pins, tokens, ledger]: [ProviderPins, FormTokens, CallLedger | null]
): ProviderParts {
  return new ProviderParts(providers, pins, tokens, async (event) => ledger?.recordOrFail(event));
}

const PROVIDERS: Provider[] = [
  PolicyParts,
  OperatorScopesService,
  {
    provide: ServerFacts,
    inject: [Config, Surface, GovernanceService, Ledger, EXTERNAL_SERVERS],
    useFactory: serverFacts,
  },
  {
    provide: ScopedArchive,
    inject: [DiagnosticArchive, ScopeService],
    useFactory: (archive: DiagnosticArchive, scopes: ScopeService) =>
      new ScopedArchive(archive, () => scopes.forOperators(Date.now())),
  },
  {
    provide: RecordedCalls,
    inject: [ScopedArchive, DiagnosticWriter, CallHistory],
    useFactory: (...parts: ConstructorParameters<typeof RecordedCalls>) => new RecordedCalls(...parts),
  },
  {
    provide: AnsweringParts,
    inject: [SectionIndex, GraphStore, ScratchStore, ScopeService],
    useFactory: (...parts: ConstructorParameters<typeof AnsweringParts>) => new AnsweringParts(...parts),
  },
  {
    provide: ApprovalParts,
    inject: [GovernanceService, ApprovalStore, OperatorDecisions, FormTokens],
    useFactory: approvalParts,
  },
  {
    provide: FormTokens,
    inject: [ServerSecret],
    useFactory: ({ secret }: ServerSecret) => new FormTokens(secret, Date.now),
  },
  {
    provide: ProviderParts,
    inject: [EXTERNAL_SERVERS, ProviderPins, FormTokens, CallLedger],
    useFactory: providerParts,
  },
  QuoteVerifierService,
  {
    provide: ClaimParts,
    inject: [ClaimStore, QuoteVerifierService, ScopeService],
    useFactory: (...parts: ConstructorParameters<typeof ClaimParts>) => new ClaimParts(...parts),
  },
  {
    provide: CorpusParts,
    inject: [CorpusStore, ScopeService],
    useFactory: (...parts: ConstructorParameters<typeof CorpusParts>) => new CorpusParts(...parts),
  },
  ManifestFilesService,
  {
    provide: PointerParts,
    inject: [PointerStore, ManifestFilesService, ScopeService],
    useFactory: (...parts: ConstructorParameters<typeof PointerParts>) => new PointerParts(...parts),
  },
  ReadinessService,
  IndexFactsService,
];

/** The observer that the admin console adds to `TelemetryModule`. */
export const CALL_HISTORY: FactoryProvider<CallHistory> = {
  provide: CallHistory,
  useFactory: () => new CallHistory(steadyNow),
};

/** The admin console: `/admin` and `/metrics` of the HTTP server. main.http adds it if an admin token is set or a principal may sign in. */
@Module({
  imports: [DiagnosticsModule, ScopeModule, ProvidersModule],
  // Pages come last because they answer every path that the others don't.
  controllers: [
    MetricsController,
    AdminApiController,
    ApprovalsController,
    RunsController,
    ClaimsController,
    CorporaController,
    PointersController,
    PolicyController,
    ProvidersController,
    ToolsPageController,
    ToolHistoryController,
    AdminPageController,
  ],
  providers: PROVIDERS,
})
export class AdminModule {
  /** @param telemetry  observes calls with `CALL_HISTORY` */
  static register(telemetry: DynamicModule): DynamicModule {
    return { module: AdminModule, imports: [telemetry] };
  }
}
