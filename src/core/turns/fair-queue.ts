/**
 * A queue in which callers take turns, so that one with many items does not hold up the others. If items have costs, the
 * next one is of the caller who has cost least (start-time fair queueing: Goyal, Vin and Cheng, SIGCOMM 1996).
 */
export class FairQueue<Item> {
  /** Waiting items of each caller; the caller whose turn is next comes first. */
  private readonly lines = new Map<string, Item[]>();
  private count = 0;
  private readonly costs = new Map<string, number>();
  /** Cost of the caller whose item was taken last; others cost at least as much, so that nobody saves up turns. */
  private level = 0;

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
    const caller = this.cheapest();
    const line = this.lines.get(caller);
    if (!line) return undefined;
    this.level = this.costOf(caller);
    const next = line.shift();
    this.lines.delete(caller);
    if (line.length > 0) this.lines.set(caller, line);
    this.count--;
    return next;
  }

  /** Removes an item that waits. */
  remove(caller: string, item: Item): void {
    const line = this.lines.get(caller) ?? [];
    const place = line.indexOf(item);
    if (place < 0) return;
    line.splice(place, 1);
    if (line.length === 0) this.lines.delete(caller);
    this.count--;
  }

  /** Adds to the cost of a caller. Costs are forgotten when nobody waits. */
  charge(caller: string, cost: number): void {
    if (this.count > 0) {
      this.costs.set(caller, this.costOf(caller) + cost);
      return;
    }
    this.costs.clear();
    this.level = 0;
  }

  private costOf(caller: string): number {
    return Math.max(this.level, this.costs.get(caller) ?? 0);
  }

  /** The caller who has cost least; of equals, the one whose turn was longest ago. */
  private cheapest(): string {
    let [cheapest, least] = ['', Infinity];
    for (const caller of this.lines.keys()) {
      const cost = this.costOf(caller);
      if (cost < least) [cheapest, least] = [caller, cost];
      if (least === this.level) break;
    }
    return cheapest;
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
