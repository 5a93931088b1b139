import { availableParallelism } from 'node:os';
import { callOrder, callSignal } from '../core/call-signal.js';
import { BackendUnavailableError } from '../core/errors.js';
import type { IndexBuild } from '../core/ports/index-build.js';
import { endThread, type GatedThread, startThread } from '../core/threads/gated-thread.js';
import { onePerTurn } from '../core/turns/clock.js';
import type { EmbedderChoice } from './latent/embedder-named.js';
import { fromPlain, type ReaderRequest, type ReaderResponse } from './reader-messages.js';
import type { ReaderTask, TaskRunner } from './reader-ports.js';

/** Time that running queries have to finish when the index closes. */
const DRAIN_MS = 1_000;

/** Reasons of failures that disappear when the index run is done: no index yet, or one of another version. */
const CURABLE = ['index_missing', 'index_incompatible'];

/** Tasks on a thread at a time: one runs and one waits, so that the thread is never idle. */
const AHEAD = 2;
/** More threads than this rarely help. */
const MAX_THREADS = 4;

/** Rows live only as long as one task. With V8's default of 48 MB, each thread keeps that much memory and is no faster. */
const MEMORY = { maxYoungGenerationSizeMb: 12 };

/** One processor is left to the main thread, which does the rest of each call and answers health checks. */
const defaultThreads = (): number => Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));

interface Waiting {
  readonly request: ReaderRequest;
  readonly order: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Stops listening to the signal of its call. */
  readonly release: () => void;
}

/** A thread and the tasks that it was sent. */
interface Reader {
  thread: GatedThread | null;
  /** False for a further thread until it has opened the file: the other threads answer sooner. */
  isReady: boolean;
  readonly running: Map<number, Waiting>;
}

/** Opens the file. */
const OPENING: ReaderTask = { port: 'sections', method: 'stamp', args: [] };

function workerLost(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('The index reader stopped.', {
    reason: 'sqlite',
    hint: 'Try again; the reader restarts.',
    cause,
  });
}

/**
 * Reads the index on threads of their own, so that queries do not block the event loop. The first thread starts with
 * the first task. Further ones start when tasks wait. A thread that dies is started again. Tasks of the oldest call run
 * first: concurrent calls finish one after the other, not all at the end.
 */
export class ReaderThreads implements TaskRunner {
  private readonly readers: readonly Reader[];
  private readonly queue: Waiting[] = [];
  private nextId = 1;
  private closed: Promise<void> | null = null;
  private whenIdle = (): void => undefined;

  /**
   * @param build  the index run that goes on meanwhile; until it ends, failures report its progress
   * @param most  number of threads, at least 1
   */
  constructor(
    private readonly file: string,
    private readonly embedder: EmbedderChoice,
    private readonly build: IndexBuild | null = null,
    most = defaultThreads(),
  ) {
    this.readers = Array.from({ length: most }, (_, i) => ({
      thread: null,
      isReady: i === 0,
      running: new Map<number, Waiting>(),
    }));
  }

  /** Starts the first thread and opens the file, so that the first question does not wait for both. */
  open(): void {
    // If the file can't be opened, each question fails with that error.
    this.ask(OPENING).catch(() => undefined);
  }

  /** Waits for running tasks, up to a limit. */
  close(): Promise<void> {
    return (this.closed ??= this.end());
  }

  ask(task: ReaderTask): Promise<unknown> {
    if (this.closed) return Promise.reject(workerLost());
    const [order, signal] = [callOrder(), callSignal()];
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const forget = (): void => this.forget(waiting, signal?.reason);
      const release = (): void => signal?.removeEventListener('abort', forget);
      const waiting = { request: { id: this.nextId++, task }, order, resolve, reject, release };
      signal?.addEventListener('abort', forget);
      const place = this.queue.findLastIndex((other) => other.order <= order) + 1;
      this.queue.splice(place, 0, waiting);
      this.send();
    });
  }

  /** A task of a cancelled call leaves the queue at once. If it runs already, its answer is ignored. */
  private forget(waiting: Waiting, reason: unknown): void {
    const place = this.queue.indexOf(waiting);
    if (place >= 0) this.queue.splice(place, 1);
    waiting.release();
    waiting.reject(reason);
  }

  private async end(): Promise<void> {
    await this.drained();
    const open = [...this.queue.splice(0), ...this.readers.flatMap(({ running }) => [...running.values()])];
    for (const { reject } of open) reject(workerLost());
    for (const { running } of this.readers) running.clear();
    await Promise.all(this.readers.map(async ({ thread }) => (thread ? endThread(thread) : undefined)));
  }

  private async drained(): Promise<void> {
    if (this.isIdle()) return;
    await new Promise<void>((resolve) => {
      const giveUp = setTimeout(resolve, DRAIN_MS);
      this.whenIdle = () => {
        clearTimeout(giveUp);
        resolve();
      };
    });
  }

  private isIdle(): boolean {
    return this.readers.every(({ running }) => running.size === 0);
  }

  private send(): void {
    for (let reader = this.freeReader(); reader; reader = this.freeReader()) {
      const next = this.queue.shift();
      if (!next) break;
      this.give(reader, next);
    }
    if (this.queue.length > 0 && !this.closed) this.startFurther();
    if (this.isIdle()) this.whenIdle();
  }

  /** The ready thread with the fewest tasks; undefined if all have enough. */
  private freeReader(): Reader | undefined {
    const free = this.readers.filter(({ isReady, running }) => isReady && running.size < AHEAD);
    return free.sort((a, b) => a.running.size - b.running.size)[0];
  }

  private give(reader: Reader, waiting: Waiting): void {
    waiting.release();
    reader.running.set(waiting.request.id, waiting);
    reader.thread ??= this.start(reader);
    reader.thread.worker.postMessage(waiting.request);
  }

  /** Starts one more thread. It gets tasks as soon as it has opened the file. */
  private startFurther(): void {
    if (this.readers.some(({ thread, isReady }) => thread && !isReady)) return;
    const reader = this.readers.find(({ thread, isReady }) => !thread && !isReady);
    if (!reader) return;
    const ready = (): void => {
      reader.isReady = reader.thread !== null;
    };
    const begin = (): void => {
      ready();
      this.send();
    };
    const request = { id: this.nextId++, task: OPENING };
    this.give(reader, { request, order: 0, resolve: begin, reject: ready, release: () => undefined });
  }

  private start(reader: Reader): GatedThread {
    const data = { file: this.file, embedder: this.embedder };
    const thread = startThread('reader-worker.cjs', data, MEMORY);
    const { worker } = thread;
    worker.on('message', (response: ReaderResponse) => this.settle(reader, response));
    worker.on('error', (error) => this.lose(reader, thread, error));
    worker.on('exit', () => this.lose(reader, thread));
    return thread;
  }

  private settle({ running }: Reader, response: ReaderResponse): void {
    const asked = running.get(response.id);
    running.delete(response.id);
    this.send();
    onePerTurn(() => {
      if ('error' in response) asked?.reject(this.explained(fromPlain(response.error)));
      else asked?.resolve(response.value);
    });
  }

  private explained(error: Error): Error {
    const isCurable = error instanceof BackendUnavailableError && CURABLE.includes(error.reason);
    return (isCurable ? this.build?.explain(error) : null) ?? error;
  }

  private lose(reader: Reader, thread: GatedThread, cause?: unknown): void {
    if (reader.thread !== thread) return;
    reader.thread = null;
    reader.isReady = reader === this.readers[0];
    for (const { reject } of reader.running.values()) reject(workerLost(cause));
    reader.running.clear();
    this.send();
  }
}
