const NEWLINE = 0x0a;

/** Splits a stream of bytes into lines. Lines that are too long are discarded. */
export class LineReader {
  private parts: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end in these bytes, without the newline; null for one that was too long. */
  push(chunk: Buffer): (Buffer | null)[] {
    const lines: (Buffer | null)[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.keep(chunk.subarray(from, at));
      lines.push(this.take());
      from = at + 1;
    }
    this.keep(chunk.subarray(from));
    return lines;
  }

  private keep(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > this.maxBytes) this.parts = [];
    else if (bytes.length > 0) this.parts.push(bytes);
  }

  private take(): Buffer | null {
    const line = this.size > this.maxBytes ? null : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    return line;
  }
}
