import { type ChildProcess, fork } from 'node:child_process';
import { BackendUnavailableError } from '../../core/errors.js';
import type { IndexBuild } from '../../core/index-build.js';
import { tell } from '../../core/stderr.js';
import { EXIT, type FailureFacts } from '../failures.js';
import { type ProgressView, type RelayedProgress, showProgress, type WorkProgress } from '../progress.js';

/** What a run is told. */
export interface BackgroundTask {
  /** bin/pith.js */
  readonly program: string;
  readonly folder: string;
  readonly file: string;
  /** Called once a run has failed and said why. */
  readonly onFailure?: (() => void) | undefined;
}

type RunState =
  | { readonly kind: 'running'; readonly progress: RelayedProgress | null; readonly since: number }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: FailureFacts };

/** While another process indexes the same folder, we look again this often. */
const BUSY_WAIT_MS = 2_000;
/** What a caller is told to wait while nothing is known about the rest. */
const UNKNOWN_WAIT_S = 5;
/** Early estimates are often far too long, so callers ask again soon. */
const MAX_WAIT_S = 10;

/** Seconds until a run is probably done, from what it has done so far, at most MAX_WAIT_S. */
export function secondsLeft({ done, total }: WorkProgress, elapsedMs: number): number {
  if (done === 0) return UNKNOWN_WAIT_S;
  const left = ((total - done) * elapsedMs) / done / 1000;
  return Math.min(MAX_WAIT_S, Math.max(1, Math.ceil(left)));
}

function readOutput(text: string): { readonly error?: FailureFacts } {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '') as { error?: FailureFacts };
  } catch {
    // It was killed before it could say anything.
    return {};
  }
}

const STOPPED: FailureFacts = {
  code: 'BACKEND_UNAVAILABLE',
  reason: 'index_run_stopped',
  message: 'the index run stopped before it finished.',
  hint: 'Start the server again; the run continues from where it stopped.',
};

/**
 * Indexes a folder in a process of its own while this one serves. Of several servers on one folder, one indexes: the
 * writer's lock keeps the others waiting, and they find everything done.
 */
export class BackgroundIndex implements IndexBuild {
  private state: RunState = { kind: 'waiting' };
  private child: ChildProcess | null = null;
  private retry: NodeJS.Timeout | undefined;
  private readonly views = new Map<string, ProgressView>();

  constructor(private readonly task: BackgroundTask) {}

  start(): void {
    const { program, folder, file } = this.task;
    this.state = { kind: 'running', progress: null, since: performance.now() };
    const child = fork(program, ['index', folder, '--index', file, '--json'], {
      // stdout is this process's protocol; what the run reports is read here.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.child = child;
    let output = '';
    child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
    child.on('message', (message) => this.note(message as RelayedProgress));
    child.once('error', () => this.end(null, ''));
    child.once('close', (code) => this.end(code, output));
  }

  stop(): void {
    clearTimeout(this.retry);
    const { child } = this;
    // Forgotten first: this end is not reported.
    this.child = null;
    child?.kill();
  }

  explain(error: BackendUnavailableError): BackendUnavailableError | null {
    const { state } = this;
    if (state.kind === 'done') return null;
    if (state.kind === 'failed') return failed(state.failure, error);
    return state.kind === 'waiting'
      ? elsewhere(error)
      : indexing(state.progress, performance.now() - state.since);
  }

  private note(progress: RelayedProgress): void {
    if (this.state.kind !== 'running') return;
    this.state = { ...this.state, progress };
    const { verb, noun } = progress;
    const view = this.views.get(verb) ?? showProgress(process.stderr, { verb, noun });
    this.views.set(verb, view);
    view.update(progress);
  }

  private end(code: number | null, output: string): void {
    if (!this.child) return;
    this.child = null;
    for (const view of this.views.values()) view.stop();
    this.views.clear();
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

const unavailable = (message: string, hint: string, details: Record<string, unknown>, cause: unknown) =>
  new BackendUnavailableError(message, { reason: 'indexing', hint, details, cause });

function indexing(progress: RelayedProgress | null, elapsedMs: number): BackendUnavailableError {
  const wait = progress ? secondsLeft(progress, elapsedMs) : UNKNOWN_WAIT_S;
  const far = progress ? `: ${progress.verb}, ${progress.done} of ${progress.total} ${progress.noun}` : '';
  return unavailable(
    `The documents are being indexed${far}.`,
    `Call again in ${wait} s.`,
    { retry_after_s: wait, ...(progress ? { done: progress.done, total: progress.total } : {}) },
    undefined,
  );
}

const elsewhere = (cause: unknown): BackendUnavailableError =>
  unavailable(
    'The documents are being indexed by another Pith process.',
    `Call again in ${UNKNOWN_WAIT_S} s.`,
    { retry_after_s: UNKNOWN_WAIT_S },
    cause,
  );

function failed({ message, hint }: FailureFacts, cause: BackendUnavailableError): BackendUnavailableError {
  return new BackendUnavailableError(`The documents could not be indexed: ${message}`, {
    reason: cause.reason,
    hint,
    cause,
  });
}
