import { FairQueue } from '../core/turns/fair-queue.js';

/** Runs tasks one after the other; callers take turns, by the time that their tasks took. */
export class OneByOne {
  private readonly waiting = new FairQueue<() => void>();
  private isBusy = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    if (this.isBusy) await new Promise<void>((start) => this.waiting.add(caller, start));
    this.isBusy = true;
    const startedAt = this.now();
    try {
      return await task();
    } finally {
      this.waiting.charge(caller, this.now() - startedAt);
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
