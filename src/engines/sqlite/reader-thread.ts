import { callOrder, callSignal } from '../../core/call-signal.js';
import { BackendUnavailableError } from '../../core/errors.js';
import type { IndexBuild } from '../../core/index-build.js';
import { endThread, type GatedThread, startThread } from '../gated-thread.js';
import type { EmbedderChoice } from '../models/embedding/embedder-named.js';
import { fromPlain, type ReaderRequest, type ReaderResponse } from './reader-messages.js';
import type { ReaderTask, TaskRunner } from './reader-ports.js';

/** Time that running queries have to finish when the index closes. */
const DRAIN_MS = 1_000;

/** Reasons of failures that disappear when the index run is done: no index yet, or one of another version. */
const CURABLE = ['index_missing', 'index_incompatible'];

/** Tasks on the thread at a time: one runs and one waits, so that the thread is never idle. */
const AHEAD = 2;

interface Waiting {
  readonly request: ReaderRequest;
  readonly order: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function workerLost(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('The index reader stopped.', {
    reason: 'sqlite',
    hint: 'Try again; the reader restarts.',
    cause,
  });
}

/**
 * Reads the index on its own thread, so that queries do not block the event loop. The thread starts with the first
 * task and restarts if it dies. Tasks of the oldest call run first: concurrent calls finish one after the other, not
 * all at the end.
 */
export class ReaderThread implements TaskRunner {
  private thread: GatedThread | null = null;
  private readonly queue: Waiting[] = [];
  private readonly running = new Map<number, Waiting>();
  private nextId = 1;
  private closed: Promise<void> | null = null;
  private whenIdle = (): void => undefined;

  /** @param build  the index run that goes on meanwhile; until it ends, failures report its progress */
  constructor(
    private readonly file: string,
    private readonly embedder: EmbedderChoice,
    private readonly build: IndexBuild | null = null,
  ) {}

  /** Starts the thread and opens the file, so that the first question does not wait for both. */
  open(): void {
    // If the file can't be opened, each question fails with that error.
    this.ask({ port: 'sections', method: 'stamp', args: [] }).catch(() => undefined);
  }

  /** Waits for running tasks, up to a limit. */
  close(): Promise<void> {
    return (this.closed ??= this.end());
  }

  ask(task: ReaderTask): Promise<unknown> {
    if (this.closed) return Promise.reject(workerLost());
    const order = callOrder();
    const request = { id: this.nextId++, task };
    return new Promise((resolve, reject) => {
      const place = this.queue.findLastIndex((waiting) => waiting.order <= order) + 1;
      this.queue.splice(place, 0, { request, order, signal: callSignal(), resolve, reject });
      this.send();
    });
  }

  private async end(): Promise<void> {
    await this.drained();
    for (const { reject } of [...this.queue.splice(0), ...this.running.values()]) reject(workerLost());
    this.running.clear();
    if (this.thread) await endThread(this.thread);
  }

  private async drained(): Promise<void> {
    if (this.running.size === 0) return;
    await new Promise<void>((resolve) => {
      const giveUp = setTimeout(resolve, DRAIN_MS);
      this.whenIdle = () => {
        clearTimeout(giveUp);
        resolve();
      };
    });
  }

  private send(): void {
    while (this.running.size < AHEAD) {
      const next = this.queue.shift();
      if (!next) break;
      const { request, signal, reject } = next;
      if (signal?.aborted) {
        reject(signal.reason);
        continue;
      }
      this.running.set(request.id, next);
      this.thread ??= this.start();
      this.thread.worker.postMessage(request);
    }
    if (this.running.size === 0) this.whenIdle();
  }

  private start(): GatedThread {
    const thread = startThread('reader-worker.cjs', { file: this.file, embedder: this.embedder });
    const { worker } = thread;
    worker.on('message', (response: ReaderResponse) => this.settle(response));
    worker.on('error', (error) => this.lose(thread, error));
    worker.on('exit', () => this.lose(thread));
    return thread;
  }

  private settle(response: ReaderResponse): void {
    const asked = this.running.get(response.id);
    this.running.delete(response.id);
    if ('error' in response) asked?.reject(this.explained(fromPlain(response.error)));
    else asked?.resolve(response.value);
    this.send();
  }

  private explained(error: Error): Error {
    const isCurable = error instanceof BackendUnavailableError && CURABLE.includes(error.reason);
    return (isCurable ? this.build?.explain(error) : null) ?? error;
  }

  private lose(thread: GatedThread, cause?: unknown): void {
    if (this.thread !== thread) return;
    this.thread = null;
    for (const { reject } of this.running.values()) reject(workerLost(cause));
    this.running.clear();
    this.send();
  }
}
