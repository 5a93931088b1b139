/** A row and its score. */
export interface RankedRow {
  readonly row: number;
  readonly score: number;
}

/** Keeps the rows with the highest scores; earlier rows win ties. */
export class BestRows {
  private readonly kept: RankedRow[] = [];
  /** Only higher scores are kept. Most rows are refused by it. */
  private floor: number;

  /** @param limit  maximum number of rows, ≥ 0 */
  constructor(private readonly limit: number) {
    this.floor = limit > 0 ? -Infinity : Infinity;
  }

  offer(row: number, score: number): void {
    if (score <= this.floor) return;
    const { kept, limit } = this;
    let low = 0;
    for (let high = kept.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((kept[middle]?.score ?? 0) >= score) low = middle + 1;
      else high = middle;
    }
    kept.splice(low, 0, { row, score });
    if (kept.length > limit) kept.pop();
    if (kept.length === limit) this.floor = kept.at(-1)?.score ?? Infinity;
  }

  /** Best first. */
  list(): readonly RankedRow[] {
    return this.kept;
  }
}
