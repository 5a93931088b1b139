import { sep } from 'node:path';
import type { Environment } from '../../config/config.js';
import {
  BackendUnavailableError,
  DeadlineExceededError,
  type FailureFacts,
  InvalidArgumentError,
  type PithError,
  UnexpectedError,
} from '../../core/errors.js';
import { type IndexedManifest, sourceLine } from '../../core/ports/index-source.js';
import type { PublishReport } from '../../core/ports/index-writer.port.js';
import { runUnderWay } from './index-failures.js';
import { type IndexProcess, startIndexProcess } from './index-process.js';

/** How far an index run is, in words and numbers. */
export interface IndexRunProgress {
  /** The present step, such as `indexing`. */
  readonly verb: string;
  /** The unit of `done` and `total`, such as `files`. */
  readonly noun: string;
  readonly done: number;
  readonly total: number;
}

/** A message about one file or folder. */
interface FileNote {
  readonly path: string;
  readonly reason: string;
}

/** The report of an index run, as `pith index --json` prints it. */
export interface IndexRunReport extends PublishReport {
  readonly seconds: number;
  /** Files that were read and split into sections. */
  readonly parsed: number;
  readonly unchanged: number;
  /** Files that an earlier, unfinished run had already prepared. */
  readonly resumed: number;
  /** Number of files and folders that .gitignore or .ignore excludes. */
  readonly ignored: number;
  /** The sources of the run; absent if it had folders alone. */
  readonly sources?: readonly {
    readonly name: string;
    readonly state: string;
    readonly problem: string | null;
  }[];
  readonly skipped: readonly FileNote[];
  readonly remarks: readonly FileNote[];
  /** Files in unsupported formats, by extension. */
  readonly unread: readonly {
    readonly extension: string;
    readonly files: number;
    readonly advice: string | null;
  }[];
}

export interface IndexRequest {
  /** Absolute real path. */
  readonly folder: string;
  /** The manifest that the folder is a temporary copy of; null if the folder itself is the source. */
  readonly origin: IndexedManifest | null;
  /** A file with the settings of `.pith.yaml`, to use instead of one in the folder. Default: that one. */
  readonly settingsFile?: string;
  /** The owner of the index; '' for that of the folder. */
  readonly project: string;
  readonly environment: string;
}

export interface IndexRunWatch {
  /** Stops the run. The next run continues from there. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IndexRunProgress) => void;
}

/** The error of a run that failed in its own process. */
function errorOf({ code, reason, message, hint }: FailureFacts): PithError {
  if (reason === 'index_busy') return runUnderWay();
  const text = `The documents could not be indexed: ${message}`;
  if (code === 'INTERNAL_ERROR' || reason === 'configuration')
    return new UnexpectedError(text, { reason, hint });
  if (code === 'INVALID_ARGUMENT') return new InvalidArgumentError(text, { reason, hint });
  if (code === 'TIMEOUT') return new DeadlineExceededError(text, { reason, hint });
  return new BackendUnavailableError(text, { reason, hint });
}

/** The error without the paths of temporary files, which mean nothing to a caller. */
function withoutCopies(failure: FailureFacts, { folder, origin, settingsFile }: IndexRequest): FailureFacts {
  const plain = (text: string): string => {
    const told = settingsFile === undefined ? text : text.replaceAll(settingsFile, 'settings');
    return origin ? told.replaceAll(`${folder}${sep}`, '').replaceAll(folder, 'the manifest') : told;
  };
  return { ...failure, message: plain(failure.message), hint: plain(failure.hint) };
}

function argumentsOf({ project, environment, origin, settingsFile }: IndexRequest): string[] {
  return [
    ...(project === '' ? [] : ['--project', project]),
    ...(environment === '' ? [] : ['--environment', environment]),
    ...(origin === null ? [] : ['--origin', sourceLine(origin)]),
    ...(settingsFile === undefined ? [] : ['--settings', settingsFile]),
  ];
}

/** The index to write, and settings beyond those of this process. */
interface IndexTarget {
  readonly file: string;
  readonly settings: Environment;
}

/** The processes that index for this server. The lock of the writer lets one of them write a file. */
export class IndexProcesses {
  private readonly running = new Set<IndexProcess>();

  get isRunning(): boolean {
    return this.running.size > 0;
  }

  /** Indexes a folder into a file. @throws BackendUnavailableError, also `index_busy`; InvalidArgumentError */
  async run(target: IndexTarget, request: IndexRequest, watch: IndexRunWatch): Promise<IndexRunReport> {
    const { signal, onProgress } = watch;
    signal.throwIfAborted();
    const { folder } = request;
    const child = startIndexProcess({ folder, ...target, args: argumentsOf(request), onProgress });
    this.running.add(child);
    signal.addEventListener('abort', child.stop);
    try {
      const end = await child.ended;
      if (!end.error) return end.report;
      signal.throwIfAborted();
      throw errorOf(withoutCopies(end.error, request));
    } finally {
      signal.removeEventListener('abort', child.stop);
      this.running.delete(child);
    }
  }

  async close(): Promise<void> {
    const running = [...this.running];
    for (const child of running) child.stop();
    await Promise.all(running.map(({ ended }) => ended));
  }
}
