import { type ChildProcess, fork } from 'node:child_process';
import { BackendUnavailableError } from '../../core/errors.js';
import type { IndexBuild } from '../../core/index-build.js';
import { tell } from '../../core/stderr.js';
import { EXIT, type FailureFacts } from '../failures.js';
import { showEach, type WordedProgress, type WorkProgress } from '../progress.js';

export interface BackgroundTask {
  /** bin/pith.js */
  readonly program: string;
  readonly folder: string;
  readonly file: string;
  readonly onFailure?: (() => void) | undefined;
}

type RunState =
  | { readonly kind: 'running'; readonly progress: WordedProgress | null; readonly since: number }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: FailureFacts };

/** While another process indexes the same folder, the run is retried after this time. */
const BUSY_WAIT_MS = 2_000;
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

function readOutput(text: string): { readonly error?: FailureFacts } {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '') as { error?: FailureFacts };
  } catch {
    // The process was killed before it wrote its result.
    return {};
  }
}

const STOPPED: FailureFacts = {
  code: 'BACKEND_UNAVAILABLE',
  reason: 'index_run_stopped',
  message: 'the index run stopped before it finished.',
  hint: 'Start the server again; the run continues from where it stopped.',
};

/** Indexes in a child process. The lock of the writer lets one of several servers index; the others retry later. */
export class BackgroundIndex implements IndexBuild {
  private state: RunState = { kind: 'waiting' };
  private child: ChildProcess | null = null;
  private retry: NodeJS.Timeout | undefined;
  private readonly views = showEach(process.stderr);

  constructor(private readonly task: BackgroundTask) {}

  start(): void {
    const { program, folder, file } = this.task;
    this.state = { kind: 'running', progress: null, since: performance.now() };
    const child = fork(program, ['index', folder, '--index', file, '--json'], {
      // Our own stdout carries the protocol, so the child's is read here.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.child = child;
    let output = '';
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    child.on('message', (message) => this.note(message as WordedProgress));
    child.once('error', () => this.end(null, ''));
    child.once('close', (code) => this.end(code, output));
  }

  stop(): void {
    clearTimeout(this.retry);
    const { child } = this;
    // Without a child, `end` reports nothing.
    this.child = null;
    child?.kill();
  }

  explain(error: BackendUnavailableError): BackendUnavailableError | null {
    const { state } = this;
    if (state.kind === 'done') return null;
    if (state.kind === 'failed') return failed(state.failure, error);
    if (state.kind === 'running') return indexing(state.progress, performance.now() - state.since);
    const message = 'The documents are being indexed by another Pith process.';
    return callAgain(message, UNKNOWN_WAIT_S, { cause: error });
  }

  private note(progress: WordedProgress): void {
    if (this.state.kind !== 'running') return;
    this.state = { ...this.state, progress };
    this.views.update(progress);
  }

  private end(code: number | null, output: string): void {
    if (!this.child) return;
    this.child = null;
    this.views.stop();
    const { error } = readOutput(output);
    if (!error && (code === EXIT.ok || code === EXIT.partial)) {
      this.state = { kind: 'done' };
      tell(`Indexed ${this.task.folder} in ${this.task.file}`);
      return;
    }
    if (error?.reason === 'index_busy') {
      this.state = { kind: 'waiting' };
      this.retry = setTimeout(() => this.start(), BUSY_WAIT_MS);
      this.retry.unref();
      return;
    }
    const failure = error ?? STOPPED;
    this.state = { kind: 'failed', failure };
    tell(`pith: ${failure.message}`, `      ${failure.hint}`);
    this.task.onFailure?.();
  }
}

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

function indexing(progress: WordedProgress | null, elapsedMs: number): BackendUnavailableError {
  if (!progress) return callAgain('The documents are being indexed.', UNKNOWN_WAIT_S);
  const { verb, noun, done, total } = progress;
  const message = `The documents are being indexed: ${verb}, ${done} of ${total} ${noun}.`;
  return callAgain(message, secondsLeft(progress, elapsedMs), { progress });
}

function failed({ message, hint }: FailureFacts, cause: BackendUnavailableError): BackendUnavailableError {
  const text = `The documents could not be indexed: ${message}`;
  return new BackendUnavailableError(text, { reason: cause.reason, hint, cause });
}
