import type { FileHandle } from 'node:fs/promises';

/** One line of a file, or the reason why it has no text. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Null when the line is longer than the limit or not UTF-8. */
  readonly text: string | null;
  readonly problem: string;
  /** Offset of the next line. */
  readonly end: number;
}

const NEWLINE = 0x0a;
const CHUNK_BYTES = 65_536;

function decode(bytes: Buffer): Pick<FileLine, 'text' | 'problem'> {
  try {
    // TextDecoder also removes a byte order mark.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), problem: '' };
  } catch {
    return { text: null, problem: 'it is not UTF-8' };
  }
}

/** Collects the bytes of a line, up to a limit. */
class LineBytes {
  private parts: Buffer[] = [];
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  add(part: Buffer): void {
    this.length += part.length;
    // A line that is too long is measured but not stored.
    if (this.length <= this.maxBytes) this.parts.push(part);
    else this.parts = [];
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  take(): Pick<FileLine, 'text' | 'problem'> {
    const isTooLong = this.length > this.maxBytes;
    const bytes = Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return isTooLong ? { text: null, problem: `it is longer than ${this.maxBytes} bytes` } : decode(bytes);
  }
}

async function readAt(file: FileHandle, at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
  return buffer.subarray(0, bytesRead);
}

/** Reads a file line by line, with at most one line in memory. Lines longer than `maxBytes` have no text. */
export async function* readLines(file: FileHandle, maxBytes: number): AsyncGenerator<FileLine> {
  const line = new LineBytes(maxBytes);
  let [number, at] = [0, 0];
  // Not a stream: a stream that is not read to its end closes the file, and the file is read more than once.
  for (let chunk = await readAt(file, at); chunk.length > 0; chunk = await readAt(file, at)) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      line.add(chunk.subarray(from, to));
      from = to + 1;
      yield { number: ++number, ...line.take(), end: at + from };
    }
    line.add(chunk.subarray(from));
    at += chunk.length;
  }
  if (!line.isEmpty) yield { number: ++number, ...line.take(), end: at };
}
