import { realpath } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { tell } from '../../core/stderr.js';
import { IGNORE_NAMES } from '../../ingest/ignore-files.js';
import { DOCS_MCP_NAME } from '../../ingest/manifest/docs-mcp-corpus.js';
import { MANIFEST_NAME } from '../../ingest/manifest/manifest.js';
import { isTemplate } from '../../ingest/manifest/read-prompts.js';
import { isDocument } from '../../ingest/reading/readers.js';
import { tellsTrails } from '../../ingest/trails/read-trails.js';
import { isHidden } from '../../ingest/walk-folder.js';
import { plainLine } from '../../text/plain-line.js';
import { reportFailure } from '../failures.js';
import { toldToEnd } from './signals.js';

/** A run starts after this time without a change, because editors write in bursts. */
const QUIET_MS = 300;
/** Hidden files that determine which files are indexed. */
const RULES: readonly string[] = [MANIFEST_NAME, DOCS_MCP_NAME, ...IGNORE_NAMES];

/** True for changes that can affect the index. Pith's own files may be in the folder, too. */
function isRelevant(event: string, path: string): boolean {
  const tells = [isDocument, isTemplate, tellsTrails].some((isOne) => isOne(path));
  return event.endsWith('Dir') || tells || RULES.includes(basename(path));
}

function isIgnored(folders: readonly string[], path: string): boolean {
  const folder = folders.find((root) => path === root || path.startsWith(root + sep)) ?? '';
  const names = relative(folder, path).split(sep);
  return names.some((name) => !RULES.includes(name) && name !== '' && isHidden(name));
}

/** The name of one changed file, and the number of others. */
function nameOf(folders: readonly string[], changed: ReadonlySet<string>): string {
  const [first = ''] = changed;
  const folder = folders.find((root) => first.startsWith(root + sep)) ?? '';
  const within = relative(folder, first) || first;
  const name = plainLine(folders.length > 1 ? `${basename(folder)}${sep}${within}` : within);
  return changed.size > 1 ? `${name} and ${changed.size - 1} more` : name;
}

/**
 * Runs again after every change in the folders, one run at a time, until the process receives a signal to end.
 * @param run  receives a text that names the changed files; null for the first run, which covers earlier changes
 */
export async function watchFolders(
  paths: readonly string[],
  run: (changed: string | null) => Promise<unknown>,
): Promise<void> {
  const folders = await Promise.all(paths.map((path) => realpath(path)));
  const watcher = watch(folders, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isIgnored(folders, path),
  });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let changed = new Set<string>();
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const what = changed.size > 0 ? nameOf(folders, changed) : null;
      changed = new Set();
      running = running.then(() => run(what)).catch(reportFailure);
    }, QUIET_MS);
  };
  watcher.on('all', (event, path) => {
    if (!isRelevant(event, path)) return;
    changed.add(path);
    schedule();
  });
  watcher.on('error', reportFailure);
  watcher.once('ready', () => {
    tell(`Watching ${folders.join(', ')}. Press Ctrl+C to stop.`);
    // Runs again, because changes made before the watch began were not noticed.
    schedule();
  });
  await toldToEnd();
  clearTimeout(timer);
  await watcher.close();
  await running;
}
