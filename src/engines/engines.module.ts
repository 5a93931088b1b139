// src/engines: SQLite, Qdrant, Neo4j, Redis and models behind the ports; the only folder that imports their packages
import {
  type DynamicModule,
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { ServerSecret } from '../config/server-secret.js';
import type { IndexBuild } from '../core/index-build.js';
import { Embedder } from '../core/ports/embedder.port.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { MemoryStore } from '../core/ports/memory-store.port.js';
import { Reranker } from '../core/ports/reranker.port.js';
import { ScratchStore } from '../core/ports/scratch-store.port.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { Engines, openLocalEngines, openServerEngines } from './open-engines.js';
import { openMemory } from './open-memory.js';
import { embedderFor, OpenedModels, openModels, openTextModel } from './open-models.js';
import { openScratch } from './open-scratch.js';
import { ReaderThread } from './sqlite/reader-thread.js';

/** Memory is null while inner_voice is off. */
const memoryOf = (config: Config, thread: ReaderThread): MemoryStore | null =>
  config.innerVoice.isEnabled ? openMemory(config, thread) : null;

const embedderOf = (config: Config, { model }: OpenedModels): Embedder => embedderFor(config, model);

const scratchOf = (config: Config, secret: ServerSecret): ScratchStore => {
  const logger = new Logger('scratch');
  return openScratch(config, secret, (message) => logger.warn(message));
};

/** The ports on the engines that are configured. Nothing is connected before it is asked. */
const PORTS: Provider[] = [
  { provide: Embedder, inject: [Config, OpenedModels], useFactory: embedderOf },
  { provide: SectionIndex, inject: [Engines], useFactory: ({ index }: Engines) => index },
  { provide: GraphStore, inject: [Engines], useFactory: ({ graph }: Engines) => graph },
  { provide: Reranker, inject: [OpenedModels], useFactory: ({ reranker }: OpenedModels) => reranker },
  { provide: ScratchStore, inject: [Config, ServerSecret], useFactory: scratchOf },
];

/** Read by a thread, so that no query blocks the other callers. */
const ON_THREAD: Provider[] = [
  { provide: Engines, inject: [Config, OpenedModels, ReaderThread], useFactory: openServerEngines },
  { provide: MemoryStore, inject: [Config, ReaderThread], useFactory: memoryOf },
  ...PORTS,
];

/** Read in this thread. */
const IN_PROCESS: Provider[] = [
  { provide: OpenedModels, inject: [Config], useFactory: (config: Config) => openModels(config) },
  { provide: Engines, inject: [Config, OpenedModels], useFactory: openLocalEngines },
  { provide: MemoryStore, useValue: null },
  ...PORTS,
];

/** The engines behind the ports. A global module: Nest closes it after the modules that use it. */
@Global()
@Module({})
export class EnginesModule implements OnApplicationShutdown {
  constructor(
    private readonly scratch: ScratchStore,
    private readonly index: SectionIndex,
    @Inject(GraphStore) private readonly graph: GraphStore | null,
    @Inject(MemoryStore) private readonly memory: MemoryStore | null,
  ) {}

  /**
   * For servers.
   * @param build  the index run that goes on meanwhile
   * @throws InvalidArgumentError `model_not_configured`
   */
  static register(config: Config, build: IndexBuild | null): DynamicModule {
    const model = openTextModel(config, 'serve');
    const { file } = config.index;
    const thread = new ReaderThread(file, model?.profile ?? config.models.embedder, build);
    // The first tools/list asks the index. Opened here, it is ready when Nest has made the modules.
    if (config.surface.docsTools && config.backends.sections === 'sqlite') thread.open();
    return {
      module: EnginesModule,
      providers: [
        { provide: ReaderThread, useValue: thread },
        { provide: OpenedModels, useFactory: () => openModels(config, model) },
        ...ON_THREAD,
      ],
      exports: ON_THREAD,
    };
  }

  /** For one caller at a time, without memory. */
  static inProcess(): DynamicModule {
    return { module: EnginesModule, providers: IN_PROCESS, exports: IN_PROCESS };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.scratch.close();
    await this.index.close();
    await this.graph?.close();
    await this.memory?.close();
  }
}
