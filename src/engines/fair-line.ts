/** Runs tasks one after the other. Callers take turns, so that one with many tasks does not hold up the others. */
export class FairLine {
  /** Those that wait, by caller; the caller whose turn is next comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  private isBusy = false;

  async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
    if (this.isBusy) await this.turnOf(caller);
    this.isBusy = true;
    try {
      return await task();
    } finally {
      this.callNext();
    }
  }

  private turnOf(caller: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.lines.get(caller);
      if (line) line.push(resolve);
      else this.lines.set(caller, [resolve]);
    });
  }

  /** The place stays taken until the next one begins. */
  private callNext(): void {
    const [first] = this.lines;
    if (!first) {
      this.isBusy = false;
      return;
    }
    const [caller, [next, ...others]] = first;
    this.lines.delete(caller);
    if (others.length > 0) this.lines.set(caller, others);
    next?.();
  }
}
