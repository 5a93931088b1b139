/** A row and its score. */
export interface RankedRow {
  readonly row: number;
  readonly score: number;
}

/** Keeps the rows with the highest scores; earlier rows win ties. */
export class BestRows {
  private readonly kept: RankedRow[] = [];

  /** @param limit  maximum number of rows, ≥ 0 */
  constructor(private readonly limit: number) {}

  offer(row: number, score: number): void {
    const { kept, limit } = this;
    const last = kept.at(-1);
    if (kept.length >= limit && (last === undefined || score <= last.score)) return;
    let low = 0;
    for (let high = kept.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((kept[middle]?.score ?? 0) >= score) low = middle + 1;
      else high = middle;
    }
    kept.splice(low, 0, { row, score });
    if (kept.length > limit) kept.pop();
  }

  /** Best first. */
  list(): readonly RankedRow[] {
    return this.kept;
  }
}
