/** Bins per doubling: quantiles are at most 10% off. */
const BINS_PER_DOUBLING = 4;
const LEAST_MS = 0.125;
/** From 1/8 ms to 131 s; faster or slower values count in the first or the last bin. */
const BINS = 20 * BINS_PER_DOUBLING;

/** A histogram of latencies with logarithmic bins, in 320 bytes. */
export class LatencyHistogram {
  private readonly bins = new Uint32Array(BINS);
  private total = 0;

  get count(): number {
    return this.total;
  }

  /** @param ms  0 or more */
  add(ms: number): void {
    const bin = Math.floor(Math.log2(Math.max(ms, LEAST_MS) / LEAST_MS) * BINS_PER_DOUBLING);
    const at = Math.min(BINS - 1, bin);
    this.bins[at] = (this.bins[at] ?? 0) + 1;
    this.total++;
  }

  merge(other: LatencyHistogram): void {
    other.bins.forEach((count, bin) => (this.bins[bin] = (this.bins[bin] ?? 0) + count));
    this.total += other.total;
  }

  /** The quantile in ms, to three digits; null if nothing was counted. @param share  in (0, 1] */
  quantile(share: number): number | null {
    if (this.total === 0) return null;
    const wanted = Math.ceil(share * this.total);
    let seen = 0;
    const bin = this.bins.findIndex((count) => (seen += count) >= wanted);
    return Number((LEAST_MS * 2 ** ((bin + 0.5) / BINS_PER_DOUBLING)).toPrecision(3));
  }
}
