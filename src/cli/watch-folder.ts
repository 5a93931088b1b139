import { realpath } from 'node:fs/promises';
import { basename, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { isDocument } from '../ingest/readers.js';
import { isHidden } from '../ingest/walk-folder.js';
import { DOCS_MCP_NAME } from '../ingest/docs-mcp-manifest.js';
import { MANIFEST_NAME } from '../ingest/manifest.js';
import { isTemplate } from '../ingest/template-prompts.js';
import { toldToEnd } from '../told-to-end.js';
import { reportFailure } from './failures.js';

/** Editors write in bursts; this long without a change means that they are done. */
const QUIET_MS = 300;
const MANIFESTS: readonly string[] = [MANIFEST_NAME, DOCS_MCP_NAME];

/** Our own files may lie in the folder too, so only documents and what holds them count. */
function isTelling(event: string, path: string): boolean {
  return event.endsWith('Dir') || isDocument(path) || isTemplate(path) || MANIFESTS.includes(basename(path));
}

function isPassedOver(folder: string, path: string): boolean {
  const names = relative(folder, path).split(sep);
  return names.some((name) => !MANIFESTS.includes(name) && name !== '' && isHidden(name));
}

/** Runs again after every change below a folder, one run at a time, until the process is told to end. */
export async function watchFolder(path: string, run: () => Promise<unknown>): Promise<void> {
  const folder = await realpath(path);
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isPassedOver(folder, path),
  });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(run).catch(reportFailure);
    }, QUIET_MS);
  };
  watcher.on('all', (event, path) => {
    if (isTelling(event, path)) schedule();
  });
  watcher.on('error', reportFailure);
  watcher.once('ready', () => {
    process.stderr.write(`Watching ${folder}; Ctrl+C ends it.\n`);
    // Whatever changed since the first run was not watched yet.
    schedule();
  });
  await toldToEnd();
  clearTimeout(timer);
  await watcher.close();
  await running;
}
