import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
import { ensureSecretFile } from '../../config/server-secret.js';
import type { IndexBuild } from '../../core/index-build.js';
import { PACKAGE_ROOT } from '../../core/package-facts.js';
import { tell } from '../../core/stderr.js';
import { EXIT } from '../failures.js';
import { loadServedConfig, type ServedConfig } from '../load-config.js';
import { BackgroundIndex } from '../running/background-index.js';
import type { OpenSession } from '../running/session.js';

/** Made before the server starts, so that handles outlive it; where it can't be, the run says why. */
function makeSecret(indexFile: string): void {
  try {
    mkdirSync(dirname(indexFile), { recursive: true });
    ensureSecretFile(indexFile);
  } catch {
    // An index that may only be read is served all the same.
  }
}

interface ServedFolder {
  readonly docs: string | undefined;
  /**
   * True if the process ends when the first run leaves no index. A supervisor then starts it again; a host of
   * STDIO does not, and shows its user what tools answer.
   */
  readonly endsWithoutIndex: boolean;
}

/** Begins to index the folder that is served; null where none is named. */
function beginIndexing({ config, folder }: ServedConfig, endsWithoutIndex: boolean): BackgroundIndex | null {
  if (folder === null) return null;
  const { file } = config.index;
  makeSecret(file);
  const onFailure = (): void => {
    if (endsWithoutIndex && !existsSync(file)) process.exit(EXIT.failed);
  };
  const program = join(PACKAGE_ROOT, 'bin', 'pith.js');
  const build = new BackgroundIndex({ program, folder, file, onFailure });
  process.once('exit', () => build.stop());
  build.start();
  return build;
}

/** Texts of callers are stored only where that was asked for, and then it is announced. */
export function announceStoredTexts({ diagnostics, server }: Config): void {
  if (!diagnostics.storeQueryText || server.noLog) return;
  tell(
    `pith: RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT is on: questions, keywords and error messages are stored in ${diagnostics.dir}.`,
  );
}

/** Serves until the process is told to end. */
type Serve = (config: Config, build: IndexBuild | null) => Promise<void>;

/** A server that answers. */
export interface RunningServer {
  /** Where MCP clients connect. */
  readonly url: string;
  /** Accepts no new calls, lets running calls finish within the configured time, then releases everything. */
  readonly close: () => Promise<void>;
  /** Closing takes no longer than this. */
  readonly closeMs: number;
}

/** The ways into the application for the command line; each is loaded when it is needed. */
export interface Servers {
  readonly stdio: () => Promise<Serve>;
  readonly http: () => Promise<Serve>;
  readonly startHttp: () => Promise<(config: Config) => Promise<RunningServer>>;
  readonly inProcess: OpenSession;
}

/** Serves, and indexes meanwhile where a folder is named; a start that fails ends the run as well. */
async function serveIndexing(
  load: () => Promise<Serve>,
  overrides: Environment,
  { docs, endsWithoutIndex }: ServedFolder,
): Promise<void> {
  const served = loadServedConfig(overrides, docs);
  const { config } = served;
  announceStoredTexts(config);
  const build = beginIndexing(served, endsWithoutIndex);
  try {
    const serve = await load();
    await serve(config, build);
  } catch (error) {
    build?.stop();
    throw error;
  }
}

/** `pith stdio` */
export const serveStdio = (servers: Servers, overrides: Environment, docs?: string): Promise<void> =>
  serveIndexing(servers.stdio, overrides, {
    docs,
    endsWithoutIndex: false,
  });

/** `pith http` */
export const serveHttp = (servers: Servers, overrides: Environment, docs?: string): Promise<void> =>
  serveIndexing(servers.http, overrides, {
    docs,
    endsWithoutIndex: true,
  });
