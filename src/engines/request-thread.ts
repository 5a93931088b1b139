import type { ResourceLimits } from 'node:worker_threads';
import { callSignal } from '../core/call-signal.js';
import { endThread, type GatedThread, startThread } from './gated-thread.js';
import { OneByOne } from './one-by-one.js';

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
        worker.off('message', end).off('exit', lose).off('error', lose);
        worker.unref();
        resolve(answer);
      };
      const lose = (): void => end(null);
      const timer = setTimeout(lose, limitMs);
      worker.on('message', end).on('exit', lose).on('error', lose);
      worker.ref();
      worker.postMessage(message);
    });
  }
}
