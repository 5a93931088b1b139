import { readRange } from './file-calls.js';
import { MAX_LINE_BYTES } from './torn-line.js';

const NEWLINE = 0x0a;
/** Replaces a torn line. */
const BLANKS: readonly number[] = [0x20, 0x09];
const CHUNK_BYTES = 262_144;
const NOTHING = Buffer.alloc(0);

/** A line without its newline, and its offset in the file. */
export interface Line {
  readonly at: number;
  readonly bytes: Buffer;
}

/** The lines of a part of a file. */
export interface Stretch {
  /** Last line first, without blank lines. */
  readonly lines: readonly Line[];
  readonly tooLong: number;
  readonly bytesRead: number;
  /** Offset to continue from; all lines after it have been read. */
  readonly resumeAt: number;
}

/** The lines of a buffer that starts at offset `from`, last first. */
function split(buffer: Buffer, from: number): Line[] {
  const pieces: Line[] = [];
  let end = buffer.length;
  while (end > 0) {
    const at = buffer.lastIndexOf(NEWLINE, end - 1);
    if (at < 0) break;
    pieces.push({ at: from + at + 1, bytes: buffer.subarray(at + 1, end) });
    end = at;
  }
  return [...pieces, { at: from, bytes: buffer.subarray(0, end) }];
}

const isBlank = ({ bytes }: Line): boolean => bytes.every((byte) => BLANKS.includes(byte));

/**
 * Yields the complete lines of a file from `end`, in bytes, to its start, part by part. Text after the last newline is
 * still being written, or torn, and is ignored.
 */
export async function* linesBackwards(fd: number, end: number): AsyncGenerator<Stretch> {
  let rest: Buffer = NOTHING;
  // False while the current piece has no newline at its end; it is skipped up to the previous newline.
  let isEnded = false;
  let resumeAt = end;
  for (let to = end; to > 0; to -= CHUNK_BYTES) {
    const from = Math.max(0, to - CHUNK_BYTES);
    const chunk = await readRange(fd, from, to);
    // The file was truncated meanwhile.
    if (chunk.length < to - from) return;
    const pieces = split(Buffer.concat([chunk, rest]), from);
    const open = from === 0 ? undefined : pieces.pop();
    const hasEnd = pieces.length > 0;
    const lines = isEnded ? pieces : pieces.slice(1);
    isEnded ||= hasEnd;
    const tooLong = isEnded && open && open.bytes.length > MAX_LINE_BYTES ? 1 : 0;
    if (tooLong) isEnded = false;
    rest = (isEnded && open?.bytes) || NOTHING;
    resumeAt = isEnded ? (pieces.at(-1)?.at ?? resumeAt) : from;
    yield { lines: lines.filter((line) => !isBlank(line)), tooLong, bytesRead: chunk.length, resumeAt };
  }
}
