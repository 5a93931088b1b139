import { realpath } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { tell } from '../../core/stderr.js';
import { IGNORE_NAMES } from '../../ingest/ignore-files.js';
import { DOCS_MCP_NAME } from '../../ingest/manifest/docs-mcp-corpus.js';
import { MANIFEST_NAME } from '../../ingest/manifest/manifest.js';
import { isTemplate } from '../../ingest/manifest/read-prompts.js';
import { isDocument } from '../../ingest/reading/readers.js';
import { isHidden } from '../../ingest/walk-folder.js';
import { plainLine } from '../../text/plain-line.js';
import { reportFailure } from '../failures.js';
import { toldToEnd } from './told-to-end.js';

/** Editors write in bursts; this long without a change means that they are done. */
const QUIET_MS = 300;
/** Hidden files that decide what is indexed. */
const RULES: readonly string[] = [MANIFEST_NAME, DOCS_MCP_NAME, ...IGNORE_NAMES];

/** Our own files may lie in the folder too, so only documents and what holds them count. */
function isTelling(event: string, path: string): boolean {
  return event.endsWith('Dir') || isDocument(path) || isTemplate(path) || RULES.includes(basename(path));
}

function isPassedOver(folders: readonly string[], path: string): boolean {
  const folder = folders.find((root) => path === root || path.startsWith(root + sep)) ?? '';
  const names = relative(folder, path).split(sep);
  return names.some((name) => !RULES.includes(name) && name !== '' && isHidden(name));
}

/** The name of what changed, and how many others did. */
function nameOf(folders: readonly string[], changed: ReadonlySet<string>): string {
  const [first = ''] = changed;
  const folder = folders.find((root) => first.startsWith(root + sep)) ?? '';
  const within = relative(folder, first) || first;
  const name = plainLine(folders.length > 1 ? `${basename(folder)}${sep}${within}` : within);
  return changed.size > 1 ? `${name} and ${changed.size - 1} more` : name;
}

/**
 * Runs again after every change below the folders, one run at a time, until the process is told to end.
 * @param run  is given what changed, in words; null for the run at the start, which takes in what nobody watched
 */
export async function watchFolders(
  paths: readonly string[],
  run: (changed: string | null) => Promise<unknown>,
): Promise<void> {
  const folders = await Promise.all(paths.map((path) => realpath(path)));
  const watcher = watch(folders, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isPassedOver(folders, path),
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
    if (!isTelling(event, path)) return;
    changed.add(path);
    schedule();
  });
  watcher.on('error', reportFailure);
  watcher.once('ready', () => {
    tell(`Watching ${folders.join(', ')}. Press Ctrl+C to stop.`);
    // Whatever changed since the first run was not watched yet.
    schedule();
  });
  await toldToEnd();
  clearTimeout(timer);
  await watcher.close();
  await running;
}
