import type { Refusal } from '../source.js';

/** The parts of a site that are not read, up to a limit; further ones are counted. */
export class RefusalList {
  private readonly listed: Refusal[] = [];
  private more = 0;

  /** @param home  the address of the site */
  constructor(
    private readonly home: string,
    private readonly max: number,
  ) {}

  add(address: string, reason: string): void {
    if (this.listed.length < this.max) this.listed.push({ address, reason });
    else this.more++;
  }

  /** Sorted by address. */
  list(): Refusal[] {
    const sorted = [...this.listed].sort((a, b) => (a.address < b.address ? -1 : 1));
    const more = { address: this.home, reason: `${this.more} further pages were not read` };
    return this.more > 0 ? [...sorted, more] : sorted;
  }
}
