import type { Refusal } from './source.js';

/** The parts of a source that are not read, up to a limit; further ones are counted. */
export class RefusalList {
  private readonly listed: Refusal[] = [];
  private further = 0;

  /** @param summary  makes the line for those above the limit */
  constructor(
    private readonly max: number,
    private readonly summary: (further: number) => Refusal,
  ) {}

  add(address: string, reason: string): void {
    if (this.listed.length < this.max) this.listed.push({ address, reason });
    else this.further++;
  }

  /** Sorted by address; the summary is the last. */
  list(): Refusal[] {
    const sorted = [...this.listed].sort((a, b) => (a.address < b.address ? -1 : 1));
    return this.further === 0 ? sorted : [...sorted, this.summary(this.further)];
  }
}
