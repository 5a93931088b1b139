import { sep } from 'node:path';
import type { Config } from '../../config/config.js';
import {
  BackendUnavailableError,
  DeadlineExceededError,
  type FailureFacts,
  InvalidArgumentError,
  nullIfLost,
  type PithError,
  UnexpectedError,
} from '../../core/errors.js';
import type { IndexBuild } from '../../core/index-build.js';
import {
  type IndexRequest,
  type IndexRunReport,
  IndexRuns,
  type IndexRunWatch,
} from '../../core/ports/index-runs.port.js';
import { type IndexSource, readSourceLine, sourceLine } from '../../core/ports/work/index-source.js';
import { configuredEmbedder } from '../open-models.js';
import { readRoot } from '../sqlite/index-file.js';
import { type IndexProcess, startIndexProcess } from './index-process.js';

const BUSY = {
  reason: 'index_busy',
  hint: 'Wait until it has ended; index.status tells if this server still indexes. Searches still work meanwhile.',
} as const;

/** The error of a run that failed in its own process. */
function errorOf({ code, reason, message, hint }: FailureFacts): PithError {
  if (reason === BUSY.reason) return new BackendUnavailableError('Another index run is under way.', BUSY);
  const text = `The documents could not be indexed: ${message}`;
  if (code === 'INTERNAL_ERROR' || reason === 'configuration')
    return new UnexpectedError(text, { reason, hint });
  if (code === 'INVALID_ARGUMENT') return new InvalidArgumentError(text, { reason, hint });
  if (code === 'TIMEOUT') return new DeadlineExceededError(text, { reason, hint });
  return new BackendUnavailableError(text, { reason, hint });
}

/** The error with paths relative to a temporary folder, which means nothing to a caller. */
function withoutFolder({ message, hint, ...rest }: FailureFacts, folder: string): FailureFacts {
  const plain = (text: string): string =>
    text.replaceAll(`${folder}${sep}`, '').replaceAll(folder, 'the manifest');
  return { ...rest, message: plain(message), hint: plain(hint) };
}

/** Runs `pith index` in processes, with the settings of this server. The lock of the writer lets one of them index. */
export class ForkedIndexRuns extends IndexRuns {
  private readonly running = new Set<IndexProcess>();

  /** @param build  the run that the server was started with */
  constructor(
    private readonly config: Config,
    private readonly build: IndexBuild | null,
  ) {
    super();
  }

  get isRunning(): boolean {
    return this.running.size > 0 || this.build?.isRunning === true;
  }

  async run(request: IndexRequest, { signal, onProgress }: IndexRunWatch): Promise<IndexRunReport> {
    signal.throwIfAborted();
    const { folder, project, environment, origin } = request;
    const { file, overrides } = this.config.index;
    const args = [
      ...(project === '' ? [] : ['--project', project]),
      ...(environment === '' ? [] : ['--environment', environment]),
      ...(origin === null ? [] : ['--origin', sourceLine(origin)]),
    ];
    const child = startIndexProcess({ folder, file, args, settings: overrides, onProgress });
    this.running.add(child);
    signal.addEventListener('abort', child.stop);
    try {
      const end = await child.ended;
      if (!end.error) return end.report;
      signal.throwIfAborted();
      throw errorOf(origin === null ? end.error : withoutFolder(end.error, folder));
    } finally {
      signal.removeEventListener('abort', child.stop);
      this.running.delete(child);
    }
  }

  async source(): Promise<IndexSource | null> {
    try {
      const root = readRoot(this.config.index.file, configuredEmbedder(this.config).profile);
      return root === null ? null : readSourceLine(root);
    } catch (error) {
      return nullIfLost(error);
    }
  }

  async close(): Promise<void> {
    const running = [...this.running];
    for (const child of running) child.stop();
    await Promise.all(running.map(({ ended }) => ended));
  }
}
