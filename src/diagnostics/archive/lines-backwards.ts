import { readRange } from './file-calls.js';
import { MAX_LINE_BYTES } from './torn-line.js';

const NEWLINE = 0x0a;
/** What may stand in place of a torn line. */
const BLANKS: readonly number[] = [0x20, 0x09];
const CHUNK_BYTES = 262_144;
const NOTHING = Buffer.alloc(0);

/** A line without its newline, and where in its file it begins. */
export interface Line {
  readonly at: number;
  readonly bytes: Buffer;
}

/** What a stretch of a file held. */
export interface Stretch {
  /** Last first; blank ones are left out. */
  readonly lines: readonly Line[];
  /** Lines that were too long to be ours. */
  readonly tooLong: number;
  readonly bytesRead: number;
  /** Where to go on another time: every line from there on has been seen. */
  readonly resumeAt: number;
}

/** The pieces between newlines of a buffer that begins at `from`, last first. */
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
 * The whole lines of a file from an end to its start, a stretch at a time. What follows the last newline before the end
 * is still being written, or torn, and no line.
 * @param end  in bytes, at most the file's size
 */
export async function* linesBackwards(fd: number, end: number): AsyncGenerator<Stretch> {
  let rest: Buffer = NOTHING;
  // Whether a newline ends what is being read; if not, it is passed over up to the one before it.
  let isEnded = false;
  let resumeAt = end;
  for (let to = end; to > 0; to -= CHUNK_BYTES) {
    const from = Math.max(0, to - CHUNK_BYTES);
    const chunk = await readRange(fd, from, to);
    // Somebody has cut the file off.
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
