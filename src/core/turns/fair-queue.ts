/** A queue in which callers take turns, so that one with many items does not hold up the others. */
export class FairQueue<Item> {
  /** Waiting items of each caller; the caller whose turn is next comes first. */
  private readonly lines = new Map<string, Item[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(caller: string, item: Item): void {
    const line = this.lines.get(caller);
    if (line) line.push(item);
    else this.lines.set(caller, [item]);
    this.count++;
  }

  /** @returns the next item, which has left the queue */
  take(): Item | undefined {
    for (const [caller, line] of this.lines) {
      const next = line.shift();
      this.lines.delete(caller);
      if (line.length > 0) this.lines.set(caller, line);
      this.count--;
      return next;
    }
    return undefined;
  }

  /** @returns the last item of the caller with the most, which has left the queue */
  takeLastOfLongest(): Item | undefined {
    let [caller, longest]: [string, Item[]] = ['', []];
    for (const entry of this.lines) if (entry[1].length >= longest.length) [caller, longest] = entry;
    const last = longest.pop();
    if (longest.length === 0) this.lines.delete(caller);
    if (last !== undefined) this.count--;
    return last;
  }
}
