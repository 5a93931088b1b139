import { FairQueue } from '../core/turns/fair-queue.js';

/** Runs tasks one after the other; callers take turns. */
export class OneByOne {
  private readonly waiting = new FairQueue<() => void>();
  private isBusy = false;

  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    if (this.isBusy) await new Promise<void>((start) => this.waiting.add(caller, start));
    this.isBusy = true;
    try {
      return await task();
    } finally {
      this.callNext();
    }
  }

  /** The place stays taken until the next one begins. */
  private callNext(): void {
    const next = this.waiting.take();
    if (next) next();
    else this.isBusy = false;
  }
}
