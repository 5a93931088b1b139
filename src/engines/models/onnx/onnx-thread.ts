import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { ENCODER } from '../../../config/installed-model.js';
import { BackendUnavailableError } from '../../../core/errors.js';
import { endThread, type GatedThread, startThread } from '../../../core/threads/gated-thread.js';

/** A task for the thread. */
export type OnnxTask = { readonly folder: string; readonly texts: readonly string[] } & (
  { readonly method: 'embed' } | { readonly method: 'score'; readonly question: string }
);

/** The message that sends a task to the thread. */
export interface OnnxRequest {
  readonly id: number;
  readonly task: OnnxTask;
}

/** The cause of a failed task: the runtime is not installed, the model can't be loaded, or anything else. */
export type OnnxFailure = 'runtime' | 'model' | 'other';

type Rows = readonly (readonly number[])[];

/** The result of a task: one row per text, or the failure. */
export type OnnxResponse =
  | { readonly id: number; readonly rows: Rows }
  | { readonly id: number; readonly failure: OnnxFailure; readonly message: string };

interface Waiting {
  /** The folder of the model. */
  readonly folder: string;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: Error) => void;
}

type OnnxUser = 'embedder' | 'reranker';

const HINTS: Readonly<Record<OnnxFailure, (user: OnnxUser) => string>> = {
  runtime: () => 'Run `pith model install`, which brings it.',
  model: (user) =>
    `Set ${user === 'embedder' ? 'PITH_EMBED_MODEL' : 'PITH_RERANK_MODEL'} to a folder with onnx/model.onnx and the tokenizer.json of a BERT model (WordPiece).`,
  other: () => 'Try again. The server log has the cause.',
};

const MESSAGES: Readonly<Record<OnnxFailure, string>> = {
  runtime: 'ONNX models need a runtime, which is not installed.',
  model: "The ONNX model can't be loaded.",
  other: 'The ONNX model failed.',
};

const ENCODER_HINT =
  'A file of the encoder may be damaged. Run `pith model install`, which replaces such files, or `pith model remove`.';

interface Failed {
  readonly cause: unknown;
  readonly hint?: string;
}

function failed(
  user: OnnxUser,
  failure: OnnxFailure,
  { cause, hint = HINTS[failure](user) }: Failed,
): BackendUnavailableError {
  return new BackendUnavailableError(MESSAGES[failure], { reason: user, hint, cause });
}

/** Runs models on their own thread, since the runtime blocks. It starts with the first task, and again if it dies. */
export class OnnxThread {
  private thread: GatedThread | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(
    private readonly user: OnnxUser,
    /** The folder of the runtime. */
    private readonly runtime: string,
  ) {}

  /** @throws BackendUnavailableError `embedder` or `reranker` */
  ask(task: OnnxTask, signal: AbortSignal): Promise<Rows> {
    this.thread ??= this.start();
    const { worker } = this.thread;
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.waiting.set(id, { folder: task.folder, resolve, reject });
      // A running computation can't be cancelled; its result is ignored.
      signal.addEventListener('abort', () => this.waiting.delete(id), { once: true });
      worker.ref();
      worker.postMessage({ id, task });
    });
  }

  async close(): Promise<void> {
    const { thread } = this;
    if (!thread) return;
    this.lose(thread, undefined);
    await endThread(thread);
  }

  private start(): GatedThread {
    const thread = startThread('onnx-worker.cjs', { runtime: this.runtime });
    const { worker } = thread;
    worker.on('message', (response: OnnxResponse) => this.settle(worker, response));
    worker.on('error', (error) => this.lose(thread, error));
    worker.on('exit', () => this.lose(thread, new Error('the thread ended')));
    return thread;
  }

  private settle(worker: Worker, response: OnnxResponse): void {
    const waiting = this.waiting.get(response.id);
    this.waiting.delete(response.id);
    if (this.waiting.size === 0) worker.unref();
    if ('rows' in response) waiting?.resolve(response.rows);
    else waiting?.reject(this.failedIn(waiting.folder, response.failure, new Error(response.message)));
  }

  private failedIn(folder: string, failure: OnnxFailure, cause: Error): BackendUnavailableError {
    const isEncoder = folder === join(dirname(this.runtime), ENCODER.folder);
    return failed(
      this.user,
      failure,
      isEncoder && failure === 'model' ? { cause, hint: ENCODER_HINT } : { cause },
    );
  }

  private lose(thread: GatedThread, cause: Error | undefined): void {
    if (this.thread !== thread) return;
    this.thread = null;
    for (const { reject } of this.waiting.values()) reject(failed(this.user, 'other', { cause }));
    this.waiting.clear();
  }
}
