import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BackendUnavailableError } from '../../errors.js';
import { PACKAGE_ROOT } from '../../package-facts.js';
import type { OnnxResponse, OnnxTask, OnnxTrouble } from './onnx-messages.js';
import { PEER } from './transformers.js';

// Compiled: a thread loads JavaScript, also when this file itself runs from source.
const WORKER = join(PACKAGE_ROOT, 'dist', 'onnx-worker.cjs');

type Rows = readonly (readonly number[])[];

interface Waiting {
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: Error) => void;
}

/** Whose model it is. */
export type OnnxUser = 'embedder' | 'reranker';

const HINTS: Readonly<Record<OnnxTrouble, (user: OnnxUser) => string>> = {
  peer: () => `Install it beside Pith: npm install --ignore-scripts ${PEER}@4`,
  model: (user) =>
    `Give in ${user === 'embedder' ? 'PITH_EMBED_MODEL' : 'PITH_RERANK_MODEL'} a folder with config.json, tokenizer.json and onnx/model.onnx.`,
  other: () => 'Call again; the operator can see in the log what happened.',
};

const MESSAGES: Readonly<Record<OnnxTrouble, string>> = {
  peer: `ONNX models need ${PEER}, which is not installed.`,
  model: 'The ONNX model can not be loaded.',
  other: 'The ONNX model failed.',
};

function troubled(user: OnnxUser, trouble: OnnxTrouble, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(MESSAGES[trouble], { reason: user, hint: HINTS[trouble](user), cause });
}

/**
 * Runs ONNX models on a thread of its own: the runtime computes synchronously, and would hold up everything else. The
 * thread starts with the first task and is started anew if it dies.
 */
export class OnnxThread {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(
    private readonly user: OnnxUser,
    /** The folder that the peer is installed in; empty where it is beside Pith. */
    private readonly runtime: string,
  ) {}

  /** @throws BackendUnavailableError `embedder` or `reranker` */
  ask(task: OnnxTask, signal: AbortSignal): Promise<Rows> {
    this.worker ??= this.start();
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject });
      // What is being computed can't be taken back, only what nobody waits for any more.
      signal.addEventListener('abort', () => this.waiting.delete(id), { once: true });
      worker.ref();
      worker.postMessage({ id, task });
    });
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(troubled(this.user, 'other', undefined));
    this.waiting.clear();
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(WORKER, { workerData: { runtime: this.runtime } });
    // A model with nothing to do keeps no process alive.
    worker.unref();
    worker.on('message', (response: OnnxResponse) => this.settle(worker, response));
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', () => this.lose(worker, new Error('the thread ended')));
    return worker;
  }

  private settle(worker: Worker, response: OnnxResponse): void {
    const waiting = this.waiting.get(response.id);
    this.waiting.delete(response.id);
    if (this.waiting.size === 0) worker.unref();
    if ('rows' in response) waiting?.resolve(response.rows);
    else waiting?.reject(troubled(this.user, response.trouble, new Error(response.message)));
  }

  private lose(worker: Worker, cause: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(troubled(this.user, 'other', cause));
    this.waiting.clear();
  }
}
