import type { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { DEFAULT_ENVIRONMENT, ownerSettings } from '../config/owner-settings.js';
import type { GraphStore } from '../core/ports/graph-store.port.js';
import type {
  IndexSettings,
  IndexWriter,
  OnStep,
  PublishReport,
  WriterState,
} from '../core/ports/index-writer.port.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { BuiltIndex, IndexMirror, MirrorProgress, ShowFilled } from '../ingest/built-index.js';
import { readBuiltGraph } from '../sqlite/graph/read-built-graph.js';
import { withBuiltIndex } from '../sqlite/index/read-built-index.js';
import { type IndexOwner, readOwner } from '../sqlite/index-file.js';
import { makePort, SqliteReader, type TaskRunner } from '../sqlite/reader-ports.js';
import { type BackendLimits, indexingLimits } from './backend.js';
import { decorated } from './models/decorated.js';
import type { Neo4jOptions } from './neo4j/neo4j-connection.js';
import { Neo4jGraphStore } from './neo4j/neo4j-graph-store.js';
import { Neo4jMirror } from './neo4j/neo4j-mirror.js';
import { configuredEmbedder, embedderFor, type OpenedModels, usesModel, withModels } from './open-models.js';
import { QdrantConnection } from './qdrant/qdrant-connection.js';
import { QdrantMirror } from './qdrant/qdrant-mirror.js';
import { QdrantSectionIndex } from './qdrant/qdrant-section-index.js';
import { openSharedIndex, SharedIndexMirror } from './shared-index.js';

interface Mirroring {
  /** Opens the index that was just published, while `use` runs. */
  readonly withBuilt: (use: (built: BuiltIndex) => Promise<void>) => Promise<void>;
  readonly mirrors: readonly IndexMirror[];
  readonly onProgress: (progress: MirrorProgress) => void;
}

/** Copies the index to other engines after it was published. */
class MirroredIndexWriter implements Pick<IndexWriter, 'begin' | 'publish' | 'close'> {
  constructor(
    private readonly inner: IndexWriter,
    private readonly mirroring: Mirroring,
  ) {}

  async begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState> {
    for (const mirror of this.mirroring.mirrors) await mirror.begin();
    return this.inner.begin(settings, rebuild);
  }

  async publish(present: ReadonlyMap<string, string>, onStep?: OnStep): Promise<PublishReport> {
    const report = await this.inner.publish(present, onStep);
    const { withBuilt, mirrors, onProgress } = this.mirroring;
    await withBuilt(async (built) => {
      const filled: ShowFilled[] = [];
      for (const mirror of mirrors) filled.push(await mirror.fill(built, onProgress));
      // Filling an engine takes minutes; switching its readers is fast. All engines switch together at the end, so they
      // differ only for a moment.
      for (const show of filled) await show();
    });
    return report;
  }

  async close(): Promise<void> {
    await this.inner.close();
    for (const mirror of this.mirroring.mirrors) await mirror.close();
  }
}

export const mirroredWriter = (inner: IndexWriter, mirroring: Mirroring): IndexWriter =>
  decorated(inner, new MirroredIndexWriter(inner, mirroring));

/** The stores that answer questions. */
export abstract class Engines {
  abstract readonly index: SectionIndex;
  /** Null if the graph is switched off. */
  abstract readonly graph: GraphStore | null;
}

/** The owner of the index in an engine. A file stores its owner; an engine holds the indexes of several owners. */
function ownerOf(config: Config): IndexOwner {
  const { scope, index } = config;
  if (scope.project === '') {
    const stored = readOwner(index.file, configuredEmbedder(config).profile);
    const named = stored ? ` The index ${index.file} was built with: ${ownerSettings(stored).join(' ')}` : '';
    throw new InvalidConfigurationError([
      `PITH_SECTION_ENGINE=qdrant and PITH_GRAPH_ENGINE=neo4j need PITH_PROJECT, set to the project id used by \`pith index\`.${named}`,
    ]);
  }
  return { projectId: scope.project, environment: scope.environment || DEFAULT_ENVIRONMENT };
}

/** The owner of the index that servers answer from; null if there is no index that this version can read. */
export function servedOwner(config: Config): IndexOwner | null {
  if (config.backends.sections === 'qdrant') return ownerOf(config);
  return readOwner(config.index.file, configuredEmbedder(config).profile);
}

const servingLimits = ({ timeoutMs, concurrency }: Config['backends']): BackendLimits => ({
  timeoutMs,
  concurrency,
});

function qdrantOf({ backends }: Config, limits = servingLimits(backends)): QdrantConnection {
  const { qdrantUrl: url, qdrantApiKey: apiKey } = backends;
  return new QdrantConnection({ url, apiKey, ...limits });
}

function neo4jOf({ backends }: Config, limits = servingLimits(backends)): Neo4jOptions {
  const { neo4jUrl: url, neo4jUser: user, neo4jPassword: password, neo4jDatabase: database } = backends;
  return { url, user, password, database, ...limits };
}

function graphOf(config: Config, sections: SectionIndex, file: TaskRunner): GraphStore | null {
  const { graph } = config.backends;
  if (graph !== 'neo4j') return graph === 'none' ? null : makePort('graph', file);
  const current = async (): Promise<string> => (await sections.stamp()).generation;
  return new Neo4jGraphStore(neo4jOf(config), ownerOf(config), current);
}

/** Opens the configured engines; `file` serves the ports without an engine. @throws InvalidConfigurationError */
function openEngines(config: Config, models: OpenedModels, file: TaskRunner): Engines {
  const { sections } = config.backends;
  const embedder = embedderFor(config, models.model);
  const index =
    sections === 'qdrant'
      ? new QdrantSectionIndex(qdrantOf(config), { ...ownerOf(config), embedder })
      : makePort('sections', file);
  const modelled = withModels(index, models, () => usesModel(config));
  return { index: modelled, graph: graphOf(config, index, file) };
}

/** The engines of a server. @throws InvalidConfigurationError */
export function openServerEngines(config: Config, models: OpenedModels, file: TaskRunner): Engines {
  const engines = openEngines(config, models, file);
  // If Neo4j can't be reached, questions say so.
  if (engines.graph instanceof Neo4jGraphStore) engines.graph.prepare().catch(() => undefined);
  return engines;
}

/** The engines of a command, which reads the index file in its own thread. @throws InvalidConfigurationError */
export function openLocalEngines(config: Config, models: OpenedModels): Engines {
  const { file } = config.index;
  return openEngines(config, models, new SqliteReader(file, embedderFor(config, models.model)));
}

function mirrorsOf(config: Config): IndexMirror[] {
  const { sections, graph } = config.backends;
  const limits = indexingLimits(config.backends);
  const shared = openSharedIndex(config);
  return [
    ...(sections === 'qdrant' ? [new QdrantMirror(qdrantOf(config, limits))] : []),
    ...(graph === 'neo4j' ? [new Neo4jMirror(neo4jOf(config, limits))] : []),
    ...(shared ? [new SharedIndexMirror(shared)] : []),
  ];
}

/** Decorates the writer of the file: it also fills the other configured engines. */
export function withMirrors(
  config: Config,
  writer: IndexWriter,
  onProgress: (progress: MirrorProgress) => void,
): IndexWriter {
  const mirrors = mirrorsOf(config);
  if (mirrors.length === 0) return writer;
  const { file } = config.index;
  const { profile } = configuredEmbedder(config);
  return mirroredWriter(writer, {
    withBuilt: (use) => withBuiltIndex({ file, profile, readGraph: readBuiltGraph }, use),
    mirrors,
    onProgress,
  });
}
