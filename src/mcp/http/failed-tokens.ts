/** Number of wrong tokens that an address may send before it has to wait. */
const AT_ONCE = 10;
/** An address may send one more wrong token per this time. */
const REFILL_MS = 6_000;
/** Maximum number of addresses; the least recent one is removed first. */
const MAX_ADDRESSES = 1_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** An IPv6 /64 network counts as one address, because one client may have all of its addresses. */
function sourceOf(address: string): string {
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
}

/** Counts wrong tokens by address. */
export class FailedTokens {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly now: () => number) {}

  /** Milliseconds until the next token of this address is checked; 0 for none. */
  waitMs(address: string): number {
    const { left } = this.bucketOf(sourceOf(address));
    return left >= 1 ? 0 : Math.ceil((1 - left) * REFILL_MS);
  }

  note(address: string): void {
    const source = sourceOf(address);
    const { left, at } = this.bucketOf(source);
    this.buckets.delete(source);
    const [oldest] = this.buckets.keys();
    if (this.buckets.size >= MAX_ADDRESSES && oldest !== undefined) this.buckets.delete(oldest);
    this.buckets.set(source, { left: Math.max(0, left - 1), at });
  }

  private bucketOf(source: string): Bucket {
    const at = this.now();
    const known = this.buckets.get(source);
    if (!known) return { left: AT_ONCE, at };
    return { left: Math.min(AT_ONCE, known.left + Math.max(0, at - known.at) / REFILL_MS), at };
  }
}
