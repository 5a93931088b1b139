import { type DynamicModule, type FactoryProvider, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DIAGNOSTICS_TOOLS, DiagnosticsModule } from './diagnostics/diagnostics.module.js';
import type { OpenEngines } from './engines/engines.module.js';
import { FEATURES } from './features.js';
import { GraphModule } from './graph/graph.module.js';
import { GRAPH_TOOLS } from './graph/graph.tools.js';
import { KB_TOOLS, KbModule } from './kb/kb.module.js';
import { type AnyTool, definitionsOf } from './mcp/define-tool.js';
import { McpModule } from './mcp/mcp.module.js';
import { AccessStage, type CallStage, CallStages } from './mcp/pipeline/call-stages.js';
import { EnvelopeFilter } from './mcp/pipeline/envelope.filter.js';
import { ErrorEnvelopeInterceptor } from './mcp/pipeline/error-envelope.interceptor.js';
import { InputStage } from './mcp/pipeline/input.stage.js';
import { OutputInterceptor } from './mcp/pipeline/output.interceptor.js';
import { FeatureGuard, PermissionGuard } from './mcp/pipeline/tool.guard.js';
import { type Imported, type ServedOver, Serving } from './mcp/serving.js';
import { openStrategy, StrategyParts } from './mcp/transport/open-strategy.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { MEMORY_TOOLS, MemoryModule } from './memory/memory.module.js';
import { ScopeGuard } from './scope/scope.guard.js';
import { SCOPE_TOOLS, ScopeModule } from './scope/scope.module.js';
import { SCRATCH_TOOLS, ScratchModule } from './scratch/scratch.module.js';
import { SEARCH_DOCS_TOOLS, SearchDocsModule } from './search-docs/search-docs.module.js';

/** Every tool, in the order of the tool list. */
export const TOOLS = [
  ...KB_TOOLS,
  ...SEARCH_DOCS_TOOLS,
  ...GRAPH_TOOLS,
  ...MEMORY_TOOLS,
  ...SCOPE_TOOLS,
  ...SCRATCH_TOOLS,
  ...DIAGNOSTICS_TOOLS,
  ...FEATURES.flatMap(({ tools }) => tools),
];

/** The definitions of all tools, in the same order. */
export const toolDefinitions = (): AnyTool[] => definitionsOf(TOOLS);

/** Prints warnings about the settings of features, some time after the start. @returns a function that drops checks which have not begun */
export function startWarnings(config: Config, accessFile = ''): () => void {
  const dropped = FEATURES.map(({ warnLater }) => warnLater?.(config, accessFile, toolDefinitions));
  return () => dropped.forEach((drop) => drop?.());
}

/** Observers of every call. */
export const OBSERVERS = FEATURES.flatMap(({ observers }) => observers);

/** The stages of every call, in this order. They share one interceptor, `CallStages`. */
const STAGES = [
  ...[InputStage, AccessStage].map((type) => ({ provide: type, useClass: type })),
  ...FEATURES.flatMap(({ stages }) => stages),
];

/**
 * The guards and interceptors of every call, in this order. Before them, the strategy checks the limits of the caller
 * and if it is offered the tool. The deadline that the strategy sets applies to all of them.
 */
const PIPELINE: readonly Provider[] = [
  // Guards decide if the call may run, and on which documents.
  { provide: APP_GUARD, useClass: FeatureGuard },
  { provide: APP_GUARD, useClass: PermissionGuard },
  { provide: APP_GUARD, useClass: ScopeGuard },
  // Interceptors, outermost first: error envelope, the stages above, rendering within the budget.
  { provide: APP_INTERCEPTOR, useClass: ErrorEnvelopeInterceptor },
  ...STAGES,
  {
    provide: APP_INTERCEPTOR,
    inject: STAGES.map(({ provide }) => provide),
    useFactory: (...stages: readonly (CallStage | null)[]) =>
      new CallStages(stages.filter((stage) => stage !== null)),
  },
  { provide: APP_INTERCEPTOR, useClass: OutputInterceptor },
  // The filter puts errors of guards into the envelope.
  { provide: APP_FILTER, useClass: EnvelopeFilter },
];

const strategyOf = ({ strategy = openStrategy }: Entry): FactoryProvider => ({
  provide: PithStrategy,
  inject: [Serving, StrategyParts],
  useFactory: strategy,
});

/** Options of an entry point. */
export interface Entry extends Serving {
  /** From `EnginesModule.start` or `EnginesModule.inProcess`. */
  readonly engines: OpenEngines;
  readonly over: ServedOver;
  /** A module that exports `CallWatch`, the observer of all calls. */
  readonly observers: Imported;
  /** False: documents and prompts are not listed, but their tools remain. Default: as configured. */
  readonly hasLists?: boolean;
  readonly modules?: readonly Imported[];
  /** Further tools, which a module of `modules` declares as well. */
  readonly tools?: readonly Type[];
  /** Makes another strategy than Pith's own. */
  readonly strategy?: typeof openStrategy;
}

@Module({})
export class AppModule {
  /** The whole application. `app.get(PithStrategy)` serves it, and `app.close()` closes everything. */
  static register(config: Config, entry: Entry): DynamicModule {
    const { engines, over, observers, hasLists = true, modules = [] } = entry;
    const tools = [...TOOLS, ...(entry.tools ?? [])];
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        engines(FEATURES.flatMap(({ stores }) => stores(config, over))),
        McpModule.register(tools, entry),
        observers,
        KbModule,
        SearchDocsModule.register(hasLists && config.surface.docsTools),
        GraphModule,
        MemoryModule,
        ScopeModule,
        ScratchModule,
        DiagnosticsModule,
        ...FEATURES.flatMap((feature) => feature.modules(tools)),
        ...modules,
      ],
      providers: [...PIPELINE, StrategyParts, strategyOf(entry)],
    };
  }
}
