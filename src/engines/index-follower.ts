import type { Config } from '../config/config.js';
import { BackendUnavailableError, PithError } from '../core/errors.js';
import type { IndexBuild } from '../core/ports/index-build.js';
import { tell } from '../core/stderr.js';
import { openSharedIndex, type SharedIndex } from './shared-index.js';

/** Time between two looks at the database (ms). */
const EVERY_MS = 5_000;

/** Keeps the index file of a server equal to the one that the database stores. */
export class IndexFollower implements IndexBuild {
  private running: Promise<void> | null = null;
  private next: NodeJS.Timeout | undefined;
  private isClosed = false;
  private problem: PithError | null = null;
  private since: string | null = null;

  constructor(
    private readonly shared: SharedIndex,
    private readonly everyMs: number = EVERY_MS,
  ) {}

  get isRunning(): boolean {
    return this.running !== null;
  }

  get failingSince(): string | null {
    return this.since;
  }

  start(): void {
    this.running = this.fetch().finally(() => {
      this.running = null;
      if (this.isClosed) return;
      this.next = setTimeout(() => this.start(), this.everyMs);
      this.next.unref();
    });
  }

  explain(error: BackendUnavailableError): BackendUnavailableError | null {
    if (error.reason !== 'index_missing') return null;
    if (this.problem instanceof BackendUnavailableError) return this.problem;
    const [message, hint] = this.isRunning
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
    await this.running;
    await this.shared.close();
  }

  private async fetch(): Promise<void> {
    try {
      const fetched = await this.shared.fetch();
      if (fetched) tell(`pith: version ${fetched.version} of the index is here, from PITH_DATABASE`);
      this.problem = null;
      this.since = null;
    } catch (error) {
      this.note(error);
    }
  }

  /** Says each failure once. The server goes on with the file that it has. */
  private note(error: unknown): void {
    const problem =
      error instanceof PithError
        ? error
        : new BackendUnavailableError(`The index can't be fetched: ${String(error)}`, {
            reason: 'sqlite',
            hint: 'Check the disk and the rights on the folder of PITH_INDEX.',
            cause: error,
          });
    if (this.problem?.message !== problem.message)
      tell(`pith: ${problem.message}`, `      ${problem.commandHint}`);
    this.problem = problem;
    this.since ??= new Date().toISOString();
  }
}

/** The follower of a server that does not index itself; null if its index is only a file. */
export function openFollower(config: Config): IndexFollower | null {
  const shared = openSharedIndex(config);
  if (!shared) return null;
  const follower = new IndexFollower(shared);
  follower.start();
  return follower;
}
