import { opendirSync, realpathSync, statSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { tell } from '../../core/stderr.js';
import { isCode, mayBeDocument } from '../../ingest/conversion/formats.js';
import { IGNORE_NAMES } from '../../ingest/ignore-files.js';
import { DOCS_MCP_NAME } from '../../ingest/manifest/docs-mcp-corpus.js';
import { MANIFEST_NAME } from '../../ingest/manifest/manifest.js';
import { isTemplate } from '../../ingest/manifest/read-prompts.js';
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
  const tells = [mayBeDocument, isCode, isTemplate, tellsTrails].some((isOne) => isOne(path));
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

/** How often the folders themselves are looked at: a watch of a folder that is removed never sees it again (ms). */
const LOOK_MS = 1_000;

/** Where a folder is: its real path, and what differs after it was removed, replaced or mounted. */
interface Place {
  readonly root: string;
  readonly identity: string;
}

/** Null if the path is not a folder that can be read. */
function placeOf(path: string): Place | null {
  try {
    const root = realpathSync(path);
    const { dev, ino, birthtimeMs } = statSync(root);
    opendirSync(root).closeSync();
    return { root, identity: [root, dev, ino, birthtimeMs].join(' ') };
  } catch {
    return null;
  }
}

type Run = (changed: string | null) => Promise<unknown>;

/** Watches the folders while all of them are there, and waits while one is not. */
class FolderWatch {
  private watcher: FSWatcher | null = null;
  private roots: readonly string[] = [];
  private identity = '';
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private changed = new Set<string>();

  constructor(
    private readonly paths: readonly string[],
    private readonly run: Run,
  ) {}

  /** Watches again if a folder has become another one. */
  look(): void {
    const places = this.paths.map(placeOf);
    const identity = places.map((place) => place?.identity ?? 'gone').join('\n');
    if (identity === this.identity) return;
    this.identity = identity;
    this.leave();
    const gone = this.paths.filter((_, i) => !places[i]);
    if (gone.length === 0) this.watch(places.flatMap((place) => place?.root ?? []));
    else tell(`Waiting for ${gone.join(', ')}, which can't be read now. The index stays as it is.`);
  }

  async close(): Promise<void> {
    this.leave();
    await this.running;
  }

  private watch(roots: readonly string[]): void {
    this.roots = roots;
    const watcher = watch([...roots], {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path) => isIgnored(roots, path),
    });
    this.watcher = watcher;
    watcher.on('all', (event, path) => {
      // Another folder may already stand at the path.
      if (event === 'unlinkDir' && roots.includes(path)) this.identity = '';
      if (!isRelevant(event, path)) return;
      this.changed.add(path);
      this.schedule();
    });
    watcher.on('error', reportFailure);
    watcher.once('ready', () => {
      tell(`Watching ${roots.join(', ')}. Press Ctrl+C to stop.`);
      // Runs again, because changes made before the watch began were not noticed.
      this.schedule();
    });
  }

  private leave(): void {
    clearTimeout(this.timer);
    this.changed = new Set();
    void this.watcher?.close().catch(reportFailure);
    this.watcher = null;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // A folder that is gone is waited for, see `look`.
      if (!this.paths.every(placeOf)) return;
      const what = this.changed.size > 0 ? nameOf(this.roots, this.changed) : null;
      this.changed = new Set();
      this.running = this.running.then(() => this.run(what)).catch(reportFailure);
    }, QUIET_MS);
  }
}

/**
 * Runs again after every change in the folders, one run at a time, until the process receives a signal to end. Folders
 * may go and come back.
 * @param run  receives a text that names the changed files; null for the first run, which covers earlier changes
 */
export async function watchFolders(paths: readonly string[], run: Run): Promise<void> {
  const watched = new FolderWatch(paths, run);
  watched.look();
  const looking = setInterval(() => watched.look(), LOOK_MS);
  await toldToEnd();
  clearInterval(looking);
  await watched.close();
}
