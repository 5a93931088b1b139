/** A row and its score. */
export interface RankedRow {
  readonly row: number;
  readonly score: number;
}

/** Keeps the rows with the highest scores; of equal scores, those with lower numbers. */
export class BestRows {
  private readonly kept: RankedRow[] = [];

  /** @param limit  maximum number of rows, ≥ 0 */
  constructor(private readonly limit: number) {}

  offer(row: number, score: number): void {
    const { kept, limit } = this;
    const isBefore = (other: RankedRow | undefined): boolean =>
      other !== undefined && (other.score > score || (other.score === score && other.row < row));
    if (kept.length >= limit && (limit === 0 || isBefore(kept.at(-1)))) return;
    let low = 0;
    for (let high = kept.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (isBefore(kept[middle])) low = middle + 1;
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
