import { type DynamicModule, type FactoryProvider, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DIAGNOSTICS_TOOLS, DiagnosticsModule } from './diagnostics/diagnostics.module.js';
import { loadAll } from './features.js';
import { GraphModule } from './graph/graph.module.js';
import { GRAPH_TOOLS } from './graph/graph.tools.js';
import { KB_TOOLS, KbModule } from './kb/kb.module.js';
import { type AnyTool, definitionsOf } from './mcp/define-tool.js';
import { McpModule } from './mcp/mcp.module.js';
import { AccessStage, type CallStage, CallStages } from './mcp/pipeline/call-stages.js';
import { EnvelopeFilter } from './mcp/pipeline/envelope.filter.js';
import { InputStage } from './mcp/pipeline/input.stage.js';
import { ErrorEnvelopeInterceptor, OutputInterceptor } from './mcp/pipeline/output.interceptor.js';
import { FeatureGuard, PermissionGuard } from './mcp/pipeline/tool.guard.js';
import {
  type Features,
  type Imported,
  type OpenEngines,
  type ServedOver,
  type ServerFeature,
  Serving,
} from './mcp/serving.js';
import { openStrategy, StrategyParts } from './mcp/transport/open-strategy.js';
import { PithStrategy } from './mcp/transport/pith-strategy.js';
import { MEMORY_TOOLS, MemoryModule } from './memory/memory.module.js';
import { ScopeGuard } from './scope/scope.guard.js';
import { SCOPE_TOOLS, ScopeModule } from './scope/scope.module.js';
import { SCRATCH_TOOLS, ScratchModule } from './scratch/scratch.module.js';
import { SEARCH_DOCS_TOOLS, SearchDocsModule } from './search-docs/search-docs.module.js';

/** The tools of a server, in the order of the tool list. */
export const toolClasses = (features: readonly ServerFeature[]): Type[] => [
  ...KB_TOOLS,
  ...SEARCH_DOCS_TOOLS,
  ...GRAPH_TOOLS,
  ...MEMORY_TOOLS,
  ...SCOPE_TOOLS,
  ...SCRATCH_TOOLS,
  ...DIAGNOSTICS_TOOLS,
  ...features.flatMap(({ tools = [] }) => tools),
];

/** The definitions of all tools, also of those that are off, in the same order. */
export const toolDefinitions = async (): Promise<AnyTool[]> => definitionsOf(toolClasses(await loadAll()));

/** Prints warnings about the settings of features, some time after the start. @returns a function that drops checks which have not begun */
export function startWarnings({ on }: Features, config: Config, accessFile = ''): () => void {
  const dropped = on.map(({ warnLater }) => warnLater?.(config, accessFile, toolDefinitions));
  return () => dropped.forEach((drop) => drop?.());
}

/** Observers of every call. */
export const listObservers = ({ on }: Features) => on.flatMap(({ observers = [] }) => observers);

/** The stages of every call, in this order. They share one interceptor, `CallStages`. */
const listStages = ({ on }: Features) => [
  InputStage,
  AccessStage,
  ...on.flatMap(({ stages = [] }) => stages),
];

/**
 * The guards and interceptors of every call, in this order. Before them, the strategy checks the caller's limits and
 * whether the caller is offered the tool. The strategy's deadline holds for all of them.
 */
const makePipeline = (stages: readonly Type<CallStage>[]): Provider[] => [
  // Guards decide if the call may run, and on which documents.
  { provide: APP_GUARD, useClass: FeatureGuard },
  { provide: APP_GUARD, useClass: PermissionGuard },
  { provide: APP_GUARD, useClass: ScopeGuard },
  // Interceptors, outermost first: error envelope, the stages above, rendering within the budget.
  { provide: APP_INTERCEPTOR, useClass: ErrorEnvelopeInterceptor },
  ...stages,
  {
    provide: APP_INTERCEPTOR,
    inject: [...stages],
    useFactory: (...made: readonly CallStage[]) => new CallStages(made),
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
    const { engines, over, observers, features, hasLists = true, modules = [] } = entry;
    const tools = [...toolClasses(features.on), ...(entry.tools ?? [])];
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        engines(features.on.flatMap(({ stores }) => stores?.(config, over) ?? [])),
        McpModule.register(tools, entry),
        observers,
        KbModule,
        SearchDocsModule.register(hasLists && config.surface.docsTools),
        GraphModule,
        MemoryModule,
        ScopeModule,
        ScratchModule,
        DiagnosticsModule,
        ...features.on.flatMap((feature) => feature.modules?.(tools) ?? []),
        ...modules,
      ],
      providers: [...makePipeline(listStages(features)), StrategyParts, strategyOf(entry)],
    };
  }
}
