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

/** The number of sections that contain a term; null for none. FTS5 would read the rows to count them. */
export const COUNT_SECTIONS = 'SELECT sum(rows) AS sections FROM main.section_posting WHERE term = ?';

/** Postings as they are stored. */
export interface PackedPostings {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Packs the postings of a term in one block. */
export class PostingsPacker {
  private readonly bytes: number[] = [];
  private next: number;
  private rows = 0;
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

  packed(): PackedPostings {
    this.endRow();
    return { rows: this.rows, bytes: Uint8Array.from(this.bytes) };
  }

  private endRow(): void {
    if (this.frequency === 0) return;
    this.varint((this.row - this.next) * 2 + (this.frequency === 1 ? 1 : 0));
    if (this.frequency !== 1) this.varint(this.frequency);
    this.next = this.row + 1;
    this.rows++;
    this.frequency = 0;
  }

  private varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = rest >>> 7) this.bytes.push((rest & 127) | 128);
    this.bytes.push(rest);
  }
}

/** The postings of a term in one block, in the order of their rows. A search reads millions a second, so the arrays are used again. */
export class Postings {
  readonly rows = new Uint32Array(BLOCK_ROWS);
  readonly frequencies = new Uint32Array(BLOCK_ROWS);
  count = 0;

  read(block: number, packed: Uint8Array): void {
    const { rows, frequencies } = this;
    let row = firstRow(block);
    let at = 0;
    let count = 0;
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
      rows[count] = row++;
      frequencies[count++] = (head & 1) === 1 ? 1 : varint();
    }
    this.count = count;
  }
}
