import { BackendUnavailableError, type FailureFacts } from '../../core/errors.js';
import type { IndexBuild, SourceHooks } from '../../core/ports/index-build.js';
import { tell } from '../../core/stderr.js';
import { type IndexProcess, type IndexRunEnd, startIndexProcess } from '../../ingest/runs/index-process.js';
import type { IndexRunProgress, IndexRunReport } from '../../ingest/runs/index-processes.js';
import { plainLine } from '../../text/plain-line.js';
import { showEach, type WorkProgress } from '../progress.js';
import { missingTextLines } from '../reports/report-lines.js';
import type { SourceUpdates } from './source-updates.js';

export interface BackgroundTask {
  /** A folder, or another source. */
  readonly folder: string;
  readonly file: string;
  /** Further arguments of `pith index`. */
  readonly args?: readonly string[];
  /** Updates of single sources, which begin after the first run. */
  readonly updates?: SourceUpdates | null | undefined;
  readonly onFailure?: (() => void) | undefined;
}

type RunState =
  | { readonly kind: 'running'; readonly progress: IndexRunProgress | null; readonly since: number }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: FailureFacts };

/** While another process indexes the same folder, the run is retried after this time. */
const BUSY_WAIT_MS = 2_000;
/** A run that failed is retried after this time: the folder may be mounted, or made again. */
const FAILED_WAIT_MS = 30_000;
/** The wait that callers are given while there is no estimate. */
const UNKNOWN_WAIT_S = 5;
/** Early estimates are often far too long, so callers ask again soon. */
const MAX_WAIT_S = 10;

/** Estimated seconds until a run is done, from 1 to MAX_WAIT_S. */
export function secondsLeft({ done, total }: WorkProgress, elapsedMs: number): number {
  if (done === 0) return UNKNOWN_WAIT_S;
  const left = ((total - done) * elapsedMs) / done / 1000;
  return Math.min(MAX_WAIT_S, Math.max(1, Math.ceil(left)));
}

/** Indexes in a child process. The lock of the writer lets one of several servers index; the others retry later. */
export class BackgroundIndex implements IndexBuild {
  private state: RunState = { kind: 'waiting' };
  private process: IndexProcess | null = null;
  private retry: NodeJS.Timeout | undefined;
  private lastFailure: { readonly failure: FailureFacts; readonly since: string } | null = null;
  private readonly views = showEach(process.stderr);

  constructor(private readonly task: BackgroundTask) {}

  get isRunning(): boolean {
    return this.state.kind === 'running' || this.task.updates?.isRunning === true;
  }

  get hooks(): SourceHooks | null {
    return this.task.updates ?? null;
  }

  get failingSince(): string | null {
    return this.lastFailure?.since ?? null;
  }

  start(): void {
    const { folder, file, args = [] } = this.task;
    this.state = { kind: 'running', progress: null, since: performance.now() };
    this.process = startIndexProcess({ folder, file, args, onProgress: (progress) => this.note(progress) });
    void this.process.ended.then((end) => this.end(end));
  }

  stop(): void {
    clearTimeout(this.retry);
    this.task.updates?.stop();
    const { process: running } = this;
    // Without a process, `end` reports nothing.
    this.process = null;
    running?.stop();
  }

  explain(error: BackendUnavailableError): BackendUnavailableError | null {
    const { state } = this;
    if (state.kind === 'done') return null;
    if (state.kind === 'failed') return failed(state.failure, error);
    if (state.kind === 'running') return indexing(state.progress, performance.now() - state.since);
    const message = 'The documents are being indexed by another Pith process.';
    return callAgain(message, UNKNOWN_WAIT_S, { cause: error });
  }

  private note(progress: IndexRunProgress): void {
    if (this.state.kind !== 'running') return;
    this.state = { ...this.state, progress };
    this.views.update(progress);
  }

  private end(ended: IndexRunEnd): void {
    if (!this.process) return;
    this.process = null;
    this.views.stop();
    if (!ended.error) {
      this.state = { kind: 'done' };
      this.lastFailure = null;
      tell(...endLines(ended.report), `Indexed ${this.task.folder} in ${this.task.file}`);
      this.task.updates?.begin();
      return;
    }
    const { error } = ended;
    if (error.reason === 'index_busy') {
      this.state = { kind: 'waiting' };
      this.startAfter(BUSY_WAIT_MS);
      return;
    }
    this.fail(error);
  }

  /** Says each failure once, and tries again: the index may exist already, and the documents come back. */
  private fail(failure: FailureFacts): void {
    this.state = { kind: 'failed', failure };
    if (this.lastFailure?.failure.message !== failure.message)
      tell(`pith: ${failure.message}`, `      ${failure.hint}`);
    const since = this.failingSince ?? new Date().toISOString();
    this.lastFailure = { failure, since };
    this.task.onFailure?.();
    this.startAfter(FAILED_WAIT_MS);
  }

  private startAfter(ms: number): void {
    this.retry = setTimeout(() => this.start(), ms);
    this.retry.unref();
  }
}

/** The problems of a finished run: documents without text, and sources that failed. */
const endLines = (report: IndexRunReport): string[] => [
  ...missingTextLines(report),
  ...(report.sources ?? []).flatMap(({ name, problem }) =>
    problem === null ? [] : [`pith: source ${name}: ${plainLine(problem)}`],
  ),
];

interface CallAgainOptions {
  readonly progress?: WorkProgress;
  readonly cause?: unknown;
}

function callAgain(message: string, waitS: number, { progress, cause }: CallAgainOptions = {}) {
  const rest = progress && { done: progress.done, total: progress.total };
  const details = { retry_after_s: waitS, ...rest };
  const hint = `Call again in ${waitS} s.`;
  return new BackendUnavailableError(message, { reason: 'indexing', hint, details, cause });
}

function indexing(progress: IndexRunProgress | null, elapsedMs: number): BackendUnavailableError {
  if (!progress) return callAgain('The documents are being indexed.', UNKNOWN_WAIT_S);
  const { verb, noun, done, total } = progress;
  const message = `The documents are being indexed: ${verb}, ${done} of ${total} ${noun}.`;
  return callAgain(message, secondsLeft(progress, elapsedMs), { progress });
}

function failed({ message, hint }: FailureFacts, cause: BackendUnavailableError): BackendUnavailableError {
  const text = `The documents could not be indexed: ${message}`;
  return new BackendUnavailableError(text, { reason: cause.reason, hint, cause });
}
