/** A row and its score. */
export interface RankedRow {
  readonly row: number;
  readonly score: number;
}

/** Keeps the rows with the highest scores; of equal ones, those with the smallest numbers. Each row is offered once. */
export class BestRows {
  private readonly kept: RankedRow[] = [];
  /** Only rows that come before this one are kept. Most rows are refused by it. */
  private floor = -Infinity;
  private floorRow = -1;

  /** @param limit  maximum number of rows, ≥ 0 */
  constructor(private readonly limit: number) {
    if (limit === 0) this.floor = Infinity;
  }

  offer(row: number, score: number): void {
    const { kept, limit, floor } = this;
    if (score < floor || (score === floor && row > this.floorRow)) return;
    let low = 0;
    for (let high = kept.length; low < high;) {
      const middle = (low + high) >>> 1;
      const other = kept[middle];
      if (other && (other.score > score || (other.score === score && other.row < row))) low = middle + 1;
      else high = middle;
    }
    kept.splice(low, 0, { row, score });
    if (kept.length > limit) kept.pop();
    if (kept.length < limit) return;
    this.floor = kept.at(-1)?.score ?? Infinity;
    this.floorRow = kept.at(-1)?.row ?? -1;
  }

  /** Best first. */
  list(): readonly RankedRow[] {
    return this.kept;
  }
}
