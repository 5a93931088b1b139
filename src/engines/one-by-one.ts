import { FairQueue } from '../core/turns/fair-queue.js';

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
