import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BackendUnavailableError } from '../../errors.js';
import type { EmbedderChoice } from '../embedding/embedder-named.js';
import { PACKAGE_ROOT } from '../../package-facts.js';
import type { ReaderResponse, ReaderTask } from './reader-messages.js';
import { fromPlain } from './reader-messages.js';

// Compiled: a thread loads JavaScript, also when this file itself runs from source.
const WORKER = join(PACKAGE_ROOT, 'dist', 'reader-worker.cjs');

/** How long queries under way may keep a closing index. */
const CLOSE_MS = 2_000;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

function workerLost(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('The index reader stopped.', {
    reason: 'sqlite',
    hint: 'Call again; the reader is started anew.',
    cause,
  });
}

/**
 * Reads the index on a thread of its own, so that no query holds up the event loop. The thread starts with the first
 * call and is started anew if it dies.
 */
export class ReaderThread {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private isClosed = false;

  constructor(
    private readonly file: string,
    private readonly embedder: EmbedderChoice,
  ) {}

  async close(): Promise<void> {
    this.isClosed = true;
    const { worker } = this;
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.ref();
    // Messages are handled in order, so the queries under way are answered first.
    worker.postMessage('close');
    const giveUp = setTimeout(() => void worker.terminate(), CLOSE_MS);
    await ended;
    clearTimeout(giveUp);
  }

  /** The reader's answer to a task; its type is that of the reader's method of the same name. */
  ask(task: ReaderTask): Promise<unknown> {
    if (this.isClosed) return Promise.reject(workerLost());
    this.worker ??= this.start();
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task });
    });
  }

  private start(): Worker {
    const worker = new Worker(WORKER, { workerData: { file: this.file, embedder: this.embedder } });
    // A reader with nothing to do keeps no process alive.
    worker.unref();
    worker.on('message', (response: ReaderResponse) => this.settle(response));
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', () => this.lose(worker));
    return worker;
  }

  private settle(response: ReaderResponse): void {
    const waiting = this.waiting.get(response.id);
    this.waiting.delete(response.id);
    if ('error' in response) waiting?.reject(fromPlain(response.error));
    else waiting?.resolve(response.value);
  }

  private lose(worker: Worker, cause?: unknown): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(workerLost(cause));
    this.waiting.clear();
  }
}
