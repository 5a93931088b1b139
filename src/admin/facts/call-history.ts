import { isRefusal, isWaiting } from '../../core/errors.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';

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

const MINUTE_MS = 60_000;
/** Six hours. */
const KEPT_MINUTES = 360;
/** Maximum number of names; calls of further names are counted as `others`. */
const MAX_NAMES = 48;
const REST = 'others';

type Totals = ReturnType<Tally['totals']>;

/** The calls in one time step of the history. */
export interface HistoryPoint extends Totals {
  /** Start, in milliseconds since the epoch. */
  readonly at: number;
}

/** The calls of one tool or method over the whole time. */
export interface NamedTotal extends Totals {
  readonly name: string;
}

export type HistorySeries = ReturnType<CallHistory['series']>;

class Tally {
  private readonly latencies = new LatencyHistogram();
  private readonly errors = new Map<string, number>();
  private waiting = 0;
  private refused = 0;
  private partial = 0;
  private degraded = 0;

  observe({ call, durationMs, error, usage }: FinishedCall): void {
    this.latencies.add(durationMs);
    if (error && isWaiting(error)) this.waiting++;
    else if (error && isRefusal(error)) this.refused++;
    else if (error) this.countError(error.code, 1);
    if (usage.isPartial) this.partial++;
    if (call.trace.degraded.length > 0) this.degraded++;
  }

  merge(other: Tally): void {
    this.latencies.merge(other.latencies);
    for (const [code, count] of other.errors) this.countError(code, count);
    this.waiting += other.waiting;
    this.refused += other.refused;
    this.partial += other.partial;
    this.degraded += other.degraded;
  }

  totals() {
    return {
      calls: this.latencies.count,
      /** Failed calls by error code, without refused ones. */
      errors: Object.fromEntries([...this.errors].sort(([a], [b]) => (a < b ? -1 : 1))),
      /** Calls that ended until people approve them. */
      waiting: this.waiting,
      refused: this.refused,
      partial: this.partial,
      degraded: this.degraded,
      /** Milliseconds; null without calls. */
      p50: this.latencies.quantile(0.5),
      p95: this.latencies.quantile(0.95),
    };
  }

  private countError(code: string, count: number): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + count);
  }
}

function merged(tallies: readonly Tally[]): Tally {
  const sum = new Tally();
  for (const tally of tallies) sum.merge(tally);
  return sum;
}

/** The calls of the last six hours by minute and name: 360 × 49 tallies of about 700 bytes, at most 12 MB. */
export class CallHistory {
  /** By minute of the steady time, oldest first. */
  private readonly minutes = new Map<number, Map<string, Tally>>();
  private readonly names = new Set<string>();

  /** @param now  as `steadyNow` */
  constructor(private readonly now: () => number) {}

  observe(finished: FinishedCall): void {
    const minute = Math.floor(this.now() / MINUTE_MS);
    this.forgetBefore(minute - KEPT_MINUTES + 1);
    const tallies = this.minutes.get(minute) ?? new Map<string, Tally>();
    this.minutes.set(minute, tallies);
    const name = this.nameOf(finished);
    const tally = tallies.get(name) ?? new Tally();
    tallies.set(name, tally);
    tally.observe(finished);
  }

  /** @param now  milliseconds since the epoch, for the times that are shown @param stepMinutes  minutes per point; a divisor of 360 */
  series(now: number, stepMinutes = 5) {
    const stepMs = stepMinutes * MINUTE_MS;
    const last = Math.floor(this.now() / stepMs) * stepMinutes;
    const shiftMs = Math.round((now - this.now()) / stepMs) * stepMs;
    const first = last - KEPT_MINUTES + stepMinutes;
    this.forgetBefore(first);
    const starts = Array.from({ length: KEPT_MINUTES / stepMinutes }, (_, i) => first + i * stepMinutes);
    const point = (from: number, minutes: number): HistoryPoint => ({
      at: from * MINUTE_MS + shiftMs,
      ...merged(this.between(from, from + minutes).map(([, tally]) => tally)).totals(),
    });
    return {
      stepMinutes,
      /** Oldest first, without gaps; the last point is still incomplete. */
      points: starts.map((start) => point(start, stepMinutes)),
      total: point(first, KEPT_MINUTES),
      /** Most calls first. */
      names: this.byName(first),
    };
  }

  private byName(from: number): NamedTotal[] {
    const kept = this.between(from, from + KEPT_MINUTES);
    const names = [...new Set(kept.map(([name]) => name))];
    return names
      .map((name) => ({
        name,
        ...merged(kept.filter((entry) => entry[0] === name).map(([, tally]) => tally)).totals(),
      }))
      .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
  }

  private between(from: number, until: number): (readonly [string, Tally])[] {
    const kept = [...this.minutes].filter(([minute]) => minute >= from && minute < until);
    return kept.flatMap(([, tallies]) => [...tallies]);
  }

  private nameOf({ start }: FinishedCall): string {
    const name = start.tool ?? start.method;
    if (this.names.size < MAX_NAMES) this.names.add(name);
    return this.names.has(name) ? name : REST;
  }

  private forgetBefore(minute: number): void {
    for (const kept of this.minutes.keys()) if (kept < minute) this.minutes.delete(kept);
  }
}
