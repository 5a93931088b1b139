import type { Config } from '../../config/config.js';
import type { Embedder, EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IndexWriter } from '../../core/ports/index-writer.port.js';
import type { MirrorProgress } from '../../ingest/built-index.js';
import type { CallTool } from '../../mcp/answered-call.js';
import type { MemoryWriter } from '../../sqlite/memory/memory-writer.js';
import type { EvalServices } from '../eval/eval-services.js';

/** The engines of commands that work without a session. */
export interface CommandEngines {
  /** @throws InvalidArgumentError `model_not_configured` */
  readonly configuredEmbedder: (config: Config) => Embedder;
  /**
   * The writer of the index file, which also fills the other configured engines.
   * @param onVectors  receives the numbers of vectors requested from the model, taken from the cache, and waiting
   */
  readonly openIndexWriter: (
    config: Config,
    onVectors: (asked: number, cached: number, waiting: number) => void,
    onMirror: (progress: MirrorProgress) => void,
  ) => IndexWriter;
  readonly openMemoryWriter: (config: Config) => MemoryWriter;
  /** Runs a change of the index file; with PITH_INDEX_STORE=database, all servers get it. */
  readonly changeIndex: <T>(config: Config, work: () => Promise<T>) => Promise<T>;
}

/** How commands load the engines. */
export type LoadEngines = () => Promise<CommandEngines>;

/** The application, opened in this process for the command line. */
export interface Session extends Omit<EvalServices, 'mode'> {
  readonly call: CallTool;
  /** Of the index. */
  readonly embedder: EmbedderProfile;
  readonly close: () => Promise<void>;
}

export interface SessionOptions {
  /** True if traces contain all candidates, as with `diagnostic_debug`. Default: false. */
  readonly isDebug?: boolean;
}

/** @throws InvalidConfigurationError */
export type OpenSession = (config: Config, options?: SessionOptions) => Promise<Session>;

/** Uses a session and closes it. */
export async function withSession<T>(
  opening: Promise<Session>,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await opening;
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}
