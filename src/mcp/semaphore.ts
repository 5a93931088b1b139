/** Lets a few at a time, the others in the order in which they came. */
export class Semaphore {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param atOnce  number of slots @param maxWaiting  how many may wait */
  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** True if nobody has a slot. */
  get isIdle(): boolean {
    return this.taken === 0;
  }

  /** Waits for a slot. @returns invoke once to give it back; null if too many wait */
  async enter(): Promise<(() => void) | null> {
    if (this.taken >= this.atOnce) {
      if (this.waiting.length >= this.maxWaiting) return null;
      // Whoever leaves hands its slot over.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.taken++;
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.taken--;
    };
  }
}
