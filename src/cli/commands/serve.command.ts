import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import { makeFolder } from '../../config/make-folder.js';
import { ensureSecretFile } from '../../config/server-secret.js';
import type { IndexBuild } from '../../core/ports/index-build.js';
import { tell } from '../../core/stderr.js';
import { MANIFEST_NAME } from '../../ingest/manifest/manifest.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import type { FeatureCommands } from '../command-parts.js';
import { EXIT } from '../failures.js';
import { settingsFrom, type StartFlags } from '../flags.js';
import { loadServedConfig, type ServedConfig } from '../load-config.js';
import { BackgroundIndex } from '../running/background-index.js';
import type { LoadEngines, OpenSession } from '../running/session.js';
import type { SourceUpdates } from '../running/source-updates.js';

/** Creates the secret before the server starts, so that handles stay valid after a restart. */
function makeSecret(indexFile: string): void {
  try {
    makeFolder(dirname(indexFile));
    ensureSecretFile(indexFile);
  } catch {
    // A read-only index can still be served, and the index run reports the cause.
  }
}

/** The updates of the sources that a folder lists; null if it lists none. Their code is loaded for a list alone. */
async function openUpdates(folder: string, file: string, hasHooks: boolean): Promise<SourceUpdates | null> {
  if (!existsSync(join(folder, MANIFEST_NAME))) return null;
  return (await import('../running/source-updates.js')).sourceUpdates({ folder, file }, hasHooks);
}

/**
 * Null without a folder. HTTP receives messages of sources, and the process ends when the first run leaves no index, so
 * that a supervisor restarts it.
 */
async function beginIndexing(
  { config, folder }: ServedConfig,
  transport: 'stdio' | 'http',
  { allowHost = [], secret }: StartFlags,
): Promise<BackgroundIndex | null> {
  if (folder === null) return null;
  const { file } = config.index;
  makeSecret(file);
  const onFailure = (): void => {
    if (transport === 'http' && !existsSync(file)) process.exit(EXIT.failed);
  };
  const updates = await openUpdates(folder, file, transport === 'http');
  const { project, environment } = config.scope;
  const args = [
    // Otherwise the server would not answer from the index that it makes.
    ...(project === '' ? [] : ['--project', project]),
    ...(environment === '' ? [] : ['--environment', environment]),
    ...allowHost.flatMap((host) => ['--allow-host', host]),
    ...(secret === undefined ? [] : ['--secret', secret]),
  ];
  const build = new BackgroundIndex({ folder, file, args, onFailure, updates });
  process.once('exit', () => build.stop());
  build.start();
  return build;
}

/** Warns on stderr if texts of callers are stored. */
export function announceStoredTexts({ diagnostics, server, questions, ...config }: Config): void {
  if (questions.mode === 'on') {
    const place = config.backends.database === '' ? config.domains.workFile : 'the database of PITH_DATABASE';
    const alone =
      config.http.token === '' ? '' : ' Calls with PITH_HTTP_TOKEN stand alone unless they name a run.';
    tell(
      `pith: PITH_QUESTIONS is on: questions are kept for ${questions.retentionDays} days in ${place}.${alone}`,
    );
  }
  if (!diagnostics.storeQueryText || server.noLog) return;
  tell(
    `pith: RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT is on: questions, keywords and error messages are stored in ${diagnostics.dir}.`,
  );
}

/** Serves until the process receives a signal to end. */
type Serve = (config: Config, build: IndexBuild | null) => Promise<void>;

export interface RunningServer {
  readonly url: string;
  /** Accepts no new calls, lets running calls finish within the configured time, then releases everything. */
  readonly close: () => Promise<void>;
  /** Reads the access file and the certificate again. If a file is not valid, says so and changes nothing. */
  readonly reload: () => Promise<void>;
  /** Longest time that closing takes (ms). */
  readonly closeMs: number;
}

/** The entry points that commands use; each is loaded when it is needed. */
export interface Servers {
  readonly stdio: () => Promise<Serve>;
  readonly http: () => Promise<Serve>;
  readonly startHttp: () => Promise<(config: Config) => Promise<RunningServer>>;
  readonly inProcess: OpenSession;
  readonly engines: LoadEngines;
  /** The commands of features. */
  readonly features: readonly FeatureCommands[];
  /** The definitions of all tools. */
  readonly tools: () => Promise<readonly AnyTool[]>;
}

/**
 * `pith stdio` and `pith http`: serves, and indexes the folder of `--docs` meanwhile. Without an index, HTTP ends, so
 * that a supervisor restarts it; STDIO goes on, because hosts don't restart it but show the errors of its tools.
 */
export async function serve(transport: 'stdio' | 'http', servers: Servers, flags: StartFlags): Promise<void> {
  const served = loadServedConfig(settingsFrom(flags), flags.docs);
  announceStoredTexts(served.config);
  const build = await beginIndexing(served, transport, flags);
  try {
    const run = await servers[transport]();
    await run(served.config, build);
  } catch (error) {
    build?.stop();
    throw error;
  }
}
