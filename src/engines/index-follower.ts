import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { BackendUnavailableError, codeIn, DeadlineExceededError } from '../core/errors.js';
import type { IndexBuild } from '../core/ports/index-build.js';
import { tell } from '../core/stderr.js';
import { openSharedIndex, type SharedIndex } from './shared-index.js';

/** Polling interval (ms). */
const EVERY_MS = 5_000;
/** Attempts in a row that find the file busy before that is a failure. */
const MAX_BUSY = 60;
/** Max backoff after failures (ms). */
const MAX_WAIT_MS = 300_000;
/** Max wait at shutdown for a running fetch (ms). */
const MAX_CLOSE_MS = 1_000;

/** Keeps the index file of a server equal to the one that the database stores. */
export class IndexFollower implements IndexBuild {
  /** It does not index. */
  readonly isRunning = false;
  private running: Promise<void> | null = null;
  private next: NodeJS.Timeout | undefined;
  private isClosed = false;
  private problem: BackendUnavailableError | null = null;
  private since: string | null = null;
  private failures = 0;
  private busy = 0;

  constructor(
    private readonly shared: Pick<SharedIndex, 'fetch' | 'close'>,
    private readonly everyMs: number = EVERY_MS,
  ) {}

  get failingSince(): string | null {
    return this.since;
  }

  start(): void {
    this.running = this.fetch().finally(() => {
      this.running = null;
      if (this.isClosed) return;
      // A failed attempt may have copied the whole file.
      this.failures = this.problem ? this.failures + 1 : 0;
      const wait = Math.min(this.everyMs * 2 ** this.failures, MAX_WAIT_MS);
      this.next = setTimeout(() => this.start(), wait);
      this.next.unref();
    });
  }

  explain(error: BackendUnavailableError): BackendUnavailableError | null {
    if (error.reason !== 'index_missing') return null;
    if (this.problem) return this.problem;
    const [message, hint] = this.running
      ? ['The index is being fetched from PITH_DATABASE.', 'Call again in 5 s.']
      : [
          'PITH_DATABASE has no index of this project yet.',
          'Run pith index with the PITH_DATABASE, PITH_PROJECT and PITH_INDEX_STORE of this server.',
        ];
    return new BackendUnavailableError(message, { reason: 'indexing', hint, cause: error });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.next);
    await Promise.race([this.running, pause(MAX_CLOSE_MS, undefined, { ref: false })]);
    await this.shared.close();
  }

  private async fetch(): Promise<void> {
    try {
      const fetched = await this.shared.fetch();
      if (fetched) tell(`pith: version ${fetched.version} of the index is here, from PITH_DATABASE`);
      this.problem = null;
      this.since = null;
      this.busy = 0;
    } catch (error) {
      this.note(error);
    }
  }

  /** Says each failure once. The server goes on with the file that it has. */
  private note(error: unknown): void {
    // Another process of this machine has the file, and stores or fetches it. One that hangs is reported.
    const isBusy = error instanceof BackendUnavailableError && error.reason === 'index_busy';
    this.busy = isBusy ? this.busy + 1 : 0;
    if (isBusy && this.busy < MAX_BUSY) return;
    const problem = error instanceof BackendUnavailableError ? error : notFetched(error);
    if (this.problem?.message !== problem.message)
      tell(`pith: ${problem.message}`, `      ${problem.commandHint}`);
    this.problem = problem;
    this.since ??= new Date().toISOString();
  }
}

function notFetched(cause: unknown): BackendUnavailableError {
  const isLate = cause instanceof DeadlineExceededError;
  const why = isLate
    ? 'PostgreSQL takes too long.'
    : `The disk or the folder fails (${codeIn(cause) || 'no code'}).`;
  return new BackendUnavailableError(`The index can't be fetched from PITH_DATABASE: ${why}`, {
    reason: isLate ? 'postgres' : 'sqlite',
    hint: 'Tell the operator to check the database, and the disk and folder of PITH_INDEX.',
    cause,
  });
}

/** The follower of a server that does not index itself; null if its index is only a file. */
export function openFollower(config: Config): IndexFollower | null {
  const shared = openSharedIndex(config);
  if (!shared) return null;
  const follower = new IndexFollower(shared);
  follower.start();
  return follower;
}
