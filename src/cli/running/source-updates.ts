import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { namedSecret } from '../../config/secret-reference.js';
import type { SourceHooks } from '../../core/ports/index-build.js';
import { tell } from '../../core/stderr.js';
import { type IndexProcess, type IndexRunEnd, startIndexProcess } from '../../ingest/runs/index-process.js';
import { type ListedSource, readSourceList } from '../../sources/source-list.js';
import { plainLine } from '../../text/plain-line.js';

/** While another process writes the index, an update waits (ms): twice as long after each try, because each asks the source. */
const BUSY_WAIT_MS = 2_000;
const MAX_BUSY_WAIT_MS = 300_000;

interface UpdatedList {
  /** Where the list is. */
  readonly folder: string;
  readonly file: string;
  readonly sources: readonly ListedSource[];
  /** The secrets of webhooks, by the name of the source. */
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Updates single sources while a server answers: on their schedule, and when they say that they have changed. One process
 * at a time does this, and of each source at most one update waits.
 */
export class SourceUpdates implements SourceHooks {
  private readonly waiting = new Set<string>();
  private readonly timers: NodeJS.Timeout[] = [];
  private process: IndexProcess | null = null;
  private retry: NodeJS.Timeout | null = null;
  private waitMs = BUSY_WAIT_MS;
  private hasBegun = false;
  private isStopped = false;

  constructor(
    private readonly list: UpdatedList,
    private readonly start: typeof startIndexProcess = startIndexProcess,
  ) {}

  get isRunning(): boolean {
    return this.process !== null;
  }

  /** Begins with what waits, and with the schedule. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    for (const { source, everyMs } of this.list.sources) {
      if (everyMs === null) continue;
      const timer = setInterval(() => this.update(source.name), everyMs);
      timer.unref();
      this.timers.push(timer);
    }
    this.next();
  }

  secretFor(name: string): string | null {
    return this.list.secrets.get(name) ?? null;
  }

  update(name: string): void {
    this.waiting.add(name);
    this.next();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.retry ?? undefined);
    this.timers.forEach(clearInterval);
    this.process?.stop();
  }

  private next(): void {
    const [name] = this.waiting;
    const isWaiting = this.process !== null || this.retry !== null;
    if (name === undefined || isWaiting || this.isStopped || !this.hasBegun) return;
    this.waiting.delete(name);
    const { folder, file } = this.list;
    const command = ['sync', name, '--folder', folder];
    this.process = this.start({ command, folder, file, onProgress: () => undefined });
    void this.process.ended.then((end) => this.end(name, end));
  }

  private nextAfter(ms: number): void {
    this.retry = setTimeout(() => {
      this.retry = null;
      this.next();
    }, ms);
    this.retry.unref();
  }

  private end(name: string, end: IndexRunEnd): void {
    const { error } = end;
    this.process = null;
    if (this.isStopped) return;
    if (error?.reason === 'index_busy') {
      this.waiting.add(name);
      this.nextAfter(this.waitMs);
      this.waitMs = Math.min(2 * this.waitMs, MAX_BUSY_WAIT_MS);
      return;
    }
    this.waitMs = BUSY_WAIT_MS;
    if (error) tell(`pith: source ${name}: ${plainLine(error.message)}`, `      ${error.hint}`);
    const found = end.error ? undefined : end.report.sources?.find((source) => source.name === name);
    if (found && found.state !== 'unchanged')
      tell(
        `pith: source ${name}: ${found.state}${found.problem === null ? '' : `: ${plainLine(found.problem)}`}`,
      );
    this.next();
  }
}

/**
 * The updates of the sources that a folder lists; null if it lists none.
 * @param hasHooks  true for a server that receives messages
 */
export async function sourceUpdates(
  { folder, file }: Pick<UpdatedList, 'folder' | 'file'>,
  hasHooks: boolean,
): Promise<SourceUpdates | null> {
  // The index run reports what is wrong with the list.
  const sources = await readSourceList(folder).catch(() => []);
  if (sources.length === 0) return null;
  const secrets = hasHooks ? sources.flatMap(readHookSecret) : [];
  return new SourceUpdates({ folder, file, sources, secrets: new Map(secrets) });
}

/** Name and secret of a source with a webhook. Without its secret, everything else works as before. */
function readHookSecret({ source, hookSecret }: ListedSource): [name: string, secret: string][] {
  if (hookSecret === null) return [];
  try {
    return [[source.name, namedSecret(hookSecret, `sources.${source.name}`)]];
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    tell(`pith: source ${source.name} has no webhook: ${error.problems.join(' ')}`);
    return [];
  }
}
