import { Global, Module } from '@nestjs/common';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AdminConfig } from './config/settings/admin.config.js';
import type { Config } from './config/config.js';
import { DiagnosticsConfig } from './config/settings/diagnostics.config.js';
import { EvidenceConfig } from './config/settings/evidence.config.js';
import { HttpConfig } from './config/settings/http.config.js';
import { InnerVoiceConfig } from './config/settings/inner-voice.config.js';
import { LimitsConfig } from './config/settings/limits.config.js';
import { BackendsConfig } from './config/settings/backends.config.js';
import { ScopeConfig } from './config/settings/scope.config.js';
import { ScratchConfig } from './config/settings/scratch.config.js';
import { DIAGNOSTICS_TOOLS, DiagnosticsModule } from './diagnostics/diagnostics.module.js';
import { DOCS_TOOLS, DocsModule } from './search-docs/search-docs.module.js';
import { ServerConfig } from './config/settings/server.config.js';
import { GRAPH_TOOLS, GraphModule } from './graph/graph.module.js';
import { GraphStore } from './core/ports/graph-store.port.js';
import { INNER_VOICE_TOOLS, InnerVoiceModule } from './memory/memory.module.js';
import { MemoryStore } from './core/ports/memory-store.port.js';
import { KB_TOOLS, KbModule } from './kb/kb.module.js';
import { Reranker } from './core/ports/reranker.port.js';
import { SectionIndex } from './core/ports/section-index.port.js';
import { LEGACY_TOOLS, LegacyModule } from './legacy/legacy.module.js';
import { CallerLimits } from './mcp/pipeline/caller-limits.js';
import { EnvelopeFilter } from './mcp/pipeline/envelope.filter.js';
import { ErrorEnvelopeInterceptor } from './mcp/pipeline/error-envelope.interceptor.js';
import { FailureReporter } from './mcp/pipeline/failure-reporter.js';
import { FeatureGuard } from './mcp/pipeline/feature.guard.js';
import { InputInterceptor } from './mcp/pipeline/input.interceptor.js';
import { LimitInterceptor } from './mcp/pipeline/limit.interceptor.js';
import { OutputInterceptor } from './mcp/pipeline/output.interceptor.js';
import { PermissionGuard } from './mcp/pipeline/permission.guard.js';
import type { CallMetrics } from './telemetry/call-metrics.js';
import type { Surface } from './mcp/surface/surface.js';
import { SurfaceHolder } from './mcp/surface/surface.token.js';
import { SCOPE_TOOLS, ScopeModule } from './scope/scope.module.js';
import { ScopeGuard } from './scope/scope.guard.js';
import { PassageNaming } from './scratch/passages.service.js';
import { ScratchStore } from './core/ports/scratch-store.port.js';
import { SCRATCH_TOOLS, ScratchModule } from './scratch/scratch.module.js';

/** Every tool, in the order in which agents are shown them. */
export const TOOLS = [
  ...KB_TOOLS,
  ...DOCS_TOOLS,
  ...GRAPH_TOOLS,
  ...INNER_VOICE_TOOLS,
  ...SCOPE_TOOLS,
  ...SCRATCH_TOOLS,
  ...DIAGNOSTICS_TOOLS,
  ...LEGACY_TOOLS,
];

/**
 * What every call passes, in this order: guards say whether it may be made at all; then, from the outside in,
 * failures become envelopes, callers are held to their limits, arguments are checked, and what comes back is rendered
 * within its budget. What guards throw meets the filter. The strategy holds all of it to the deadline.
 */
export const PIPELINE: readonly Provider[] = [
  { provide: APP_GUARD, useClass: FeatureGuard },
  { provide: APP_GUARD, useClass: PermissionGuard },
  { provide: APP_GUARD, useClass: ScopeGuard },
  { provide: APP_INTERCEPTOR, useClass: ErrorEnvelopeInterceptor },
  { provide: APP_INTERCEPTOR, useClass: LimitInterceptor },
  { provide: APP_INTERCEPTOR, useClass: InputInterceptor },
  { provide: APP_INTERCEPTOR, useClass: OutputInterceptor },
  { provide: APP_FILTER, useClass: EnvelopeFilter },
];

/** What is made before the container: everything that the transport needs too. */
export interface AppParts {
  readonly config: Config;
  readonly surface: Surface;
  readonly secret: string;
  readonly index: SectionIndex;
  /** Null where the graph is switched off. */
  readonly graph: GraphStore | null;
  readonly scratch: ScratchStore;
  /** Null where nothing reranks. */
  readonly reranker: Reranker | null;
  /** Null where nobody asks for them. */
  readonly metrics: CallMetrics | null;
  /** Null where inner_voice is off, so that nothing of it is opened. */
  readonly memory: MemoryStore | null;
  /** Controllers and providers of the HTTP door. */
  readonly door?: { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] };
}

function shared({ config, surface, secret, index, graph, memory, scratch, reranker }: AppParts): Provider[] {
  return [
    { provide: LimitsConfig, useValue: config.limits },
    { provide: ScopeConfig, useValue: config.scope },
    { provide: BackendsConfig, useValue: config.backends },
    { provide: ScratchConfig, useValue: config.scratch },
    { provide: EvidenceConfig, useValue: config.evidence },
    { provide: HttpConfig, useValue: config.http },
    { provide: InnerVoiceConfig, useValue: config.innerVoice },
    { provide: ServerConfig, useValue: config.server },
    { provide: AdminConfig, useValue: config.admin },
    { provide: DiagnosticsConfig, useValue: config.diagnostics },
    { provide: SurfaceHolder, useValue: new SurfaceHolder(surface) },
    { provide: PassageNaming, useValue: new PassageNaming(secret, config.surface.uriScheme) },
    { provide: SectionIndex, useValue: index },
    { provide: GraphStore, useValue: graph },
    { provide: MemoryStore, useValue: memory },
    { provide: Reranker, useValue: reranker },
    { provide: ScratchStore, useValue: scratch },
    CallerLimits,
    FailureReporter,
  ];
}

@Global()
@Module({})
class SharedModule {}

@Module({})
export class AppModule {
  static register(parts: AppParts): DynamicModule {
    const providers = shared(parts);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot({
          ignoreEnvFile: true,
          ignoreEnvVars: true,
          load: [() => ({ ...parts.config })],
        }),
        { module: SharedModule, providers, exports: providers },
        KbModule,
        DocsModule.register(parts.config.surface.docsTools),
        GraphModule,
        InnerVoiceModule,
        ScopeModule,
        ScratchModule,
        DiagnosticsModule,
        LegacyModule,
      ],
      controllers: [...(parts.door?.controllers ?? [])],
      providers: [...PIPELINE, ...(parts.door?.providers ?? [])],
    };
  }
}
