import { endThread, type GatedThread, startThread } from './gated-thread.js';

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface ThreadTerms {
  /** File in dist. It answers each request with a message that has the same `id`. */
  readonly script: string;
  /** Becomes the `workerData` of the thread. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Made for requests that are not answered, because the thread has ended. */
  readonly lost: (cause?: unknown) => Error;
}

/** A thread that answers several requests at a time. It starts with the first one, and again if it dies. */
export class AnsweringThread<Answer extends { readonly id: number }> {
  private thread: GatedThread | null = null;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  private nextId = 1;

  constructor(private readonly terms: ThreadTerms) {}

  /** @param signal  when it fires, the answer is ignored */
  ask(request: object, signal?: AbortSignal): Promise<Answer> {
    const { worker } = (this.thread ??= this.start());
    const id = this.nextId++;
    // A process that waits for its last answer must not end before.
    worker.ref();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => this.waiting.delete(id), { once: true });
      worker.postMessage({ ...request, id });
    });
  }

  async close(): Promise<void> {
    const { thread } = this;
    if (!thread) return;
    this.lose(thread);
    await endThread(thread);
  }

  private start(): GatedThread {
    const { script, data } = this.terms;
    const thread = startThread(script, data);
    thread.worker.on('message', (answer: Answer) => this.settle(thread, answer));
    thread.worker.on('error', (error) => this.lose(thread, error));
    thread.worker.on('exit', () => this.lose(thread));
    return thread;
  }

  private settle({ worker }: GatedThread, answer: Answer): void {
    this.waiting.get(answer.id)?.resolve(answer);
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) worker.unref();
  }

  private lose(thread: GatedThread, cause?: unknown): void {
    if (this.thread !== thread) return;
    this.thread = null;
    for (const { reject } of this.waiting.values()) reject(this.terms.lost(cause));
    this.waiting.clear();
  }
}
