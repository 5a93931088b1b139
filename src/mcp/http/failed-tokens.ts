import { isIP } from 'node:net';

/** Maximum number of addresses; the least recent one is removed first. */
const MAX_ADDRESSES = 1_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** How often an address may be wrong. */
interface Terms {
  /** Number of wrong tokens that it may send before it has to wait. */
  readonly atOnce: number;
  /** It may send one more per this time (ms). */
  readonly refillMs: number;
}

const FEW: Terms = { atOnce: 10, refillMs: 6_000 };

/** An IPv6 /64 network counts as one address, because one client may have all of its addresses. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6 || address.includes('.')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Counts wrong tokens by address. */
export class FailedTokens {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly now: () => number,
    private readonly terms = FEW,
  ) {}

  /** Milliseconds until the next token of this address is checked; 0 for none. */
  waitMs(address: string): number {
    const { left } = this.bucketOf(networkOf(address));
    return left >= 1 ? 0 : Math.ceil((1 - left) * this.terms.refillMs);
  }

  note(address: string): void {
    const source = networkOf(address);
    const { left, at } = this.bucketOf(source);
    this.buckets.delete(source);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size >= MAX_ADDRESSES && oldest !== undefined) this.buckets.delete(oldest);
    this.buckets.set(source, { left: Math.max(0, left - 1), at });
  }

  private bucketOf(source: string): Bucket {
    const at = this.now();
    const known = this.buckets.get(source);
    if (!known) return { left: this.terms.atOnce, at };
    return {
      left: Math.min(this.terms.atOnce, known.left + Math.max(0, at - known.at) / this.terms.refillMs),
      at,
    };
  }
}
