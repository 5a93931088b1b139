import type { ResourceLimits } from 'node:worker_threads';
import { callSignal } from '../call-signal.js';
import { FairQueue } from '../turns/fair-queue.js';
import { endThread, type GatedThread, startThread } from './gated-thread.js';

/** Runs tasks one after the other; callers take turns, by the time that their tasks took. */
export class OneByOne {
  private readonly waiting = new FairQueue<() => void>();
  private isBusy = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param signal  of the call; when it fires, a task that waits is forgotten, and one that runs goes on
   * @throws the reason of the signal for a task that is forgotten
   */
  async run<T>(caller: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.isBusy) await this.turn(caller, signal);
    this.isBusy = true;
    const startedAt = this.now();
    try {
      return await task();
    } finally {
      this.waiting.charge(caller, this.now() - startedAt);
      this.callNext();
    }
  }

  /** Waits for the next turn of a caller. */
  private turn(caller: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.remove(caller, start);
        reject(signal?.reason);
      };
      this.waiting.add(caller, start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** The place stays taken until the next one begins. */
  private callNext(): void {
    const next = this.waiting.take();
    if (next) next();
    else this.isBusy = false;
  }
}

interface ThreadTerms {
  /** File in dist. */
  readonly script: string;
  /** Becomes the `workerData` of the thread. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly memory: ResourceLimits;
  /** A message that is answered at once, when the thread has started. */
  readonly first: object;
  /** Time to start, which does not count as time of an answer (ms). */
  readonly startMs: number;
  /** Longest time of an answer (ms). */
  readonly limitMs: number;
  /** Most bytes by which the process can grow during an answer: `memory` does not count buffers. Default: no limit. */
  readonly maxGrowth?: number;
  /** Made when the thread does not start. */
  readonly notStarted: () => Error;
}

/**
 * A thread that answers one message after the other; callers take turns. It is ended when an answer takes too long, and
 * starts again with the next message.
 */
export class RequestThread<Answer> {
  private thread: GatedThread | null = null;
  private readonly line = new OneByOne();

  constructor(private readonly terms: ThreadTerms) {}

  /**
   * @param caller  the principal that asks
   * @returns null if the answer took too long or too much memory @throws the reason of the call's signal
   */
  ask(caller: string, message: object): Promise<Answer | null> {
    return this.line.run(caller, () => this.answerOf(message), callSignal());
  }

  async close(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    if (thread) await endThread(thread);
  }

  private async answerOf(message: object): Promise<Answer | null> {
    const thread = this.thread ?? (await this.start());
    const answer = await this.answered(thread, message, this.terms.limitMs);
    if (answer !== null) return answer;
    this.thread = null;
    await thread.worker.terminate();
    return null;
  }

  private async start(): Promise<GatedThread> {
    const { script, data, memory, first, startMs, notStarted } = this.terms;
    const thread = startThread(script, data, memory);
    thread.worker.on('error', () => undefined);
    if ((await this.answered(thread, first, startMs)) === null) {
      await thread.worker.terminate();
      throw notStarted();
    }
    thread.worker.once('exit', () => {
      if (this.thread === thread) this.thread = null;
    });
    return (this.thread = thread);
  }

  /** The answer of a thread; null if it ended or took too long. */
  private answered({ worker }: GatedThread, message: object, limitMs: number): Promise<Answer | null> {
    return new Promise((resolve) => {
      const end = (answer: Answer | null): void => {
        clearTimeout(timer);
        clearInterval(watch);
        worker.off('message', end).off('exit', lose).off('error', lose);
        worker.unref();
        resolve(answer);
      };
      const lose = (): void => end(null);
      const timer = setTimeout(lose, limitMs);
      const watch = this.watchGrowth(lose);
      worker.on('message', end).on('exit', lose).on('error', lose);
      worker.ref();
      worker.postMessage(message);
    });
  }

  private watchGrowth(stop: () => void): NodeJS.Timeout | undefined {
    const { maxGrowth } = this.terms;
    if (maxGrowth === undefined) return undefined;
    const most = process.memoryUsage.rss() + maxGrowth;
    return setInterval(() => {
      if (process.memoryUsage.rss() > most) stop();
    }, WATCH_MS);
  }
}

/** Time between two looks at the memory. */
const WATCH_MS = 100;
