/**
 * Postings: for each term, the rows that contain it, in blocks of rows. A block is bytes:
 *
 *   row − previous row − 1, doubled; plus 1 if the frequency is 1     varint
 *   frequency, unless it is 1                                          varint
 *
 * The frequency is the number of occurrences, each multiplied by the weight of its field.
 *
 * A varint has 7 bits per byte, the lowest first; the highest bit says that more follow. Most entries take one or two bytes.
 */

/** Rows per block. A changed document rewrites one block of each of its terms; a search reads all blocks of a term. */
export const BLOCK_ROWS = 8_192;

export const blockOf = (row: number): number => Math.floor(row / BLOCK_ROWS);
export const firstRow = (block: number): number => block * BLOCK_ROWS;

/** Packs the postings of a term in one block. */
export class PostingsPacker {
  private readonly bytes: number[] = [];
  private next: number;
  /** The row that is added to, and its frequency until now; 0 before the first row. */
  private row = 0;
  private frequency = 0;

  constructor(block: number) {
    this.next = firstRow(block);
  }

  /** Adds to the frequency of a row. @param row  that of the last call or above */
  add(row: number, frequency: number): void {
    if (row !== this.row) this.endRow();
    this.row = row;
    this.frequency += frequency;
  }

  /** Empty if nothing was added. */
  packed(): Uint8Array {
    this.endRow();
    return Uint8Array.from(this.bytes);
  }

  private endRow(): void {
    if (this.frequency === 0) return;
    this.varint((this.row - this.next) * 2 + (this.frequency === 1 ? 1 : 0));
    if (this.frequency !== 1) this.varint(this.frequency);
    this.next = this.row + 1;
    this.frequency = 0;
  }

  private varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = rest >>> 7) this.bytes.push((rest & 127) | 128);
    this.bytes.push(rest);
  }
}

/** Visits the postings of a packed block, in the order of their rows. Visits millions a second, so it creates no objects. */
export function eachPosting(
  block: number,
  packed: Uint8Array,
  visit: (row: number, frequency: number) => void,
): void {
  let row = firstRow(block);
  let at = 0;
  const varint = (): number => {
    let byte = packed[at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = packed[at++] ?? 0;
      value += (byte % 128) * scale;
    }
    return value;
  };
  while (at < packed.length) {
    const head = varint();
    row += head >>> 1;
    visit(row, head % 2 === 1 ? 1 : varint());
    row++;
  }
}
