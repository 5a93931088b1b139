/** A row and its score. */
export interface RankedRow {
  readonly row: number;
  readonly score: number;
}

interface PlacedRow extends RankedRow {
  readonly place: number;
}

/** Keeps the rows with the highest scores; of equal ones, those with the first places. Each row is offered once. */
export class BestRows {
  private readonly kept: PlacedRow[] = [];
  /** The score of the last kept row once the list is full; rows with a lower one are refused. */
  floor = -Infinity;
  private floorPlace = -1;

  /** @param limit  maximum number of rows, ≥ 0 */
  constructor(private readonly limit: number) {
    if (limit === 0) this.floor = Infinity;
  }

  /** @param place  decides between equal scores; the row by default */
  offer(row: number, score: number, place = row): void {
    const { kept, limit, floor } = this;
    if (score < floor || (score === floor && place > this.floorPlace)) return;
    let low = 0;
    for (let high = kept.length; low < high;) {
      const middle = (low + high) >>> 1;
      const other = kept[middle];
      if (other && (other.score > score || (other.score === score && other.place < place))) low = middle + 1;
      else high = middle;
    }
    kept.splice(low, 0, { row, score, place });
    if (kept.length > limit) kept.pop();
    if (kept.length < limit) return;
    this.floor = kept.at(-1)?.score ?? Infinity;
    this.floorPlace = kept.at(-1)?.place ?? -1;
  }

  /** Best first. */
  list(): RankedRow[] {
    return this.kept.map(({ row, score }) => ({ row, score }));
  }
}
