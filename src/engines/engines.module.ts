// src/engines: Qdrant, Neo4j, Redis, PostgreSQL and models behind the ports, and which engine a server uses
import {
  type FactoryProvider,
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Config } from '../config/config.js';
import { ServerSecret } from '../config/server-secret.js';
import { Embedder } from '../core/ports/embedder.port.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { INDEX_BUILD, type IndexBuild } from '../core/ports/index-build.js';
import { MemoryStore } from '../core/ports/memory-store.port.js';
import { Reranker } from '../core/ports/reranker.port.js';
import { ScratchStore } from '../core/ports/scratch-store.port.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import type { OpenEngines } from '../mcp/serving.js';
import { ReaderThreads } from '../sqlite/reader-threads.js';
import { type IndexFollower, openFollower } from './index-follower.js';
import { IndexRuns } from './index-runs.js';
import { OnnxTextModel } from './models/embedding/onnx-text-model.js';
import { Engines, openLocalEngines, openServerEngines } from './open-engines.js';
import { openMemory } from './open-memory.js';
import {
  embedderFor,
  openCommandModels,
  OpenedModels,
  openModels,
  openTextModel,
  usesModel,
} from './open-models.js';
import { openScratch } from './open-scratch.js';

/** Opens the parts that differ between servers and commands. */
interface Opening {
  readonly models: () => OpenedModels;
  readonly engines: (models: OpenedModels) => Engines;
  readonly memory: () => MemoryStore | null;
  /** The index run that the server was started with, or what fetches its index. */
  readonly build: IndexBuild | null;
  readonly follower: IndexFollower | null;
}

interface Closable {
  readonly close: () => Promise<void>;
}

/** The ports that the module closes, besides stores of features. */
const OPENED = 'OPENED_PORTS';
const CLOSED_HERE = [ScratchStore, SectionIndex, GraphStore, MemoryStore, IndexRuns];

/** The ports on the configured engines, which connect when they are needed. */
function portsOf(config: Config, { memory, build }: Opening): FactoryProvider[] {
  const logger = new Logger('scratch');
  const warn = (message: string): void => logger.warn(message);
  return [
    {
      provide: Embedder,
      inject: [OpenedModels],
      useFactory: ({ model }: OpenedModels) => embedderFor(config, model),
    },
    { provide: SectionIndex, inject: [Engines], useFactory: ({ index }: Engines) => index },
    { provide: GraphStore, inject: [Engines], useFactory: ({ graph }: Engines) => graph },
    { provide: Reranker, inject: [OpenedModels], useFactory: ({ reranker }: OpenedModels) => reranker },
    {
      provide: ScratchStore,
      inject: [ServerSecret],
      useFactory: (secret: ServerSecret) => openScratch(config, secret, warn),
    },
    { provide: INDEX_BUILD, useFactory: () => build },
    { provide: IndexRuns, useFactory: () => new IndexRuns(config, build) },
    { provide: MemoryStore, useFactory: memory },
  ];
}

const withPorts =
  (config: Config, opening: Opening): OpenEngines =>
  (stores) => {
    const { models, engines } = opening;
    const ports = [...portsOf(config, opening), ...stores];
    const closed = stores.filter(({ isClosedElsewhere = false }) => !isClosedElsewhere);
    const opened = [
      { provide: OpenedModels, useFactory: models },
      { provide: Engines, inject: [OpenedModels], useFactory: engines },
      {
        provide: OPENED,
        inject: [...CLOSED_HERE, ...closed.map(({ provide }) => provide)],
        useFactory: (...parts: readonly (Closable | null)[]) => [...parts, opening.follower],
      },
    ];
    return {
      module: EnginesModule,
      providers: [...opened, ...ports],
      exports: ports.map(({ provide }) => provide),
    };
  };

/** The engines of a server. Their reader thread starts before Nest does. */
interface ServerEngines {
  readonly open: OpenEngines;
  readonly close: () => Promise<void>;
}

/** The engines behind the ports. The module is global, so Nest closes it after the modules that use it. */
@Global()
@Module({})
export class EnginesModule implements OnApplicationShutdown {
  constructor(@Inject(OPENED) private readonly opened: readonly (Closable | null)[]) {}

  /**
   * For servers: a thread reads the index file, so that no query blocks other callers.
   * @param ownBuild  the index run at the start of the server
   * @returns the maker of the module, and the way to close its thread if Nest does not start
   * @throws InvalidArgumentError `model_not_configured`
   */
  static start(config: Config, ownBuild: IndexBuild | null): ServerEngines {
    const model = openTextModel(config, 'serve');
    const { file } = config.index;
    // A server that indexes begins each run with the stored index.
    const follower = ownBuild ? null : openFollower(config);
    const build = ownBuild ?? follower;
    const thread = new ReaderThreads(file, embedderFor(config, model).profile, build);
    // The first tools/list needs the index. The thread opens it now, while Nest creates the modules.
    if (config.surface.docsTools && config.backends.sections === 'sqlite') thread.open();
    // Loading takes a second. Failures are reported with the first question.
    if (model instanceof OnnxTextModel && usesModel(config))
      model.embed(['Pith'], 'question').catch(() => undefined);
    const open = withPorts(config, {
      models: () => openModels(config, model),
      engines: (models) => openServerEngines(config, models, thread),
      memory: () => (config.innerVoice.isEnabled ? openMemory(config, thread) : null),
      build,
      follower,
    });
    const close = async (): Promise<void> => {
      await Promise.all([thread.close(), follower?.close()]);
    };
    return { open, close };
  }

  /** For commands, which have one caller at a time and need no memory store. */
  static inProcess(config: Config): OpenEngines {
    return withPorts(config, {
      models: () => openCommandModels(config),
      engines: (models) => openLocalEngines(config, models),
      memory: () => null,
      build: null,
      follower: null,
    });
  }

  /** Closes all engines, also if one fails to close. @throws the first failure */
  async onApplicationShutdown(): Promise<void> {
    const closed = await Promise.allSettled(this.opened.map(async (port) => port?.close()));
    const failed = closed.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}
