import { fstatSync, ftruncateSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { fstat, readRange, TO_CHANGE, withFile, write } from './file-calls.js';

/** Maximum length of a line. */
export const MAX_LINE_BYTES = 4_194_304;

const NEWLINE = 0x0a;
const TAB = 0x09;
/** Bytes that can follow a torn piece: a newline, a repair tab, or the start of another record. */
const NEXT: readonly number[] = [NEWLINE, TAB, 0x7b];
/** Maximum number of bytes that other processes may have appended after our torn piece. */
const LOOK_BACK_BYTES = 1_048_576;
/** Wait before the next look at the file (ms); a write that is still running has made progress by then. */
const LOOK_AGAIN_MS = 50;

/**
 * Overwrites a torn line with spaces. Lines may start with spaces. So if another process has appended its line directly
 * after the torn piece, that line becomes readable; truncating the file would remove it.
 */
async function blank(fd: number, from: number, to: number): Promise<void> {
  const { bytesWritten } = await write(fd, Buffer.alloc(to - from, ' '), 0, to - from, from);
  if (bytesWritten < to - from) throw new Error('an incomplete line could not be repaired');
}

/** Finds the last `piece` before the end of the file or before a byte in `NEXT`. @returns its offset; -1 if not found */
function placeOf(piece: Buffer, tail: Buffer): number {
  for (let at = tail.lastIndexOf(piece); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(piece, at - 1)) {
    const next = tail[at + piece.length];
    if (next === undefined || NEXT.includes(next)) return at;
  }
  return -1;
}

/** Removes the torn end of our own incomplete write. @param piece  the bytes of the torn line that reached the file */
export async function takeBack(path: string, piece: Buffer): Promise<void> {
  await withFile(path, TO_CHANGE, async (fd) => {
    const { size } = await fstat(fd);
    const start = Math.max(0, size - piece.length - LOOK_BACK_BYTES);
    const at = placeOf(piece, await readRange(fd, start, size));
    if (at < 0) return;
    const [from, to] = [start + at, start + at + piece.length];
    await blank(fd, from, to);
    // No await between the two calls: a line that another process appends must not be cut off.
    if (fstatSync(fd).size === to) ftruncateSync(fd, from);
  });
}

/** True if a text is a complete record without its newline. */
function isWhole(piece: Buffer): boolean {
  try {
    JSON.parse(piece.toString('utf8'));
    return true;
  } catch {
    // The line is torn.
    return false;
  }
}

const endsWhole = async (fd: number, size: number): Promise<boolean> =>
  size === 0 || (await readRange(fd, size - 1, size))[0] === NEWLINE;

/**
 * Repairs the last line if a process was killed while writing it. A torn line is overwritten with spaces; a complete
 * line only gets its missing newline.
 *
 *     …}\n{"schema_ver          a process was killed here; we wait, and stop if the file grows
 *     …}\n{"schema_ver⇥         we append a tab, which no line contains; it must directly follow the piece
 *     …}\n            ⇥         no other process is writing, so the piece is overwritten with spaces
 */
export async function mendEnd(log: number, path: string): Promise<void> {
  const { size } = await fstat(log);
  if (await endsWhole(log, size)) return;
  await after(LOOK_AGAIN_MS);
  // Another process is writing.
  if ((await fstat(log)).size !== size) return;
  await write(log, '\t');
  const start = Math.max(0, size - MAX_LINE_BYTES);
  const tail = await readRange(log, start, size + 1);
  const before = tail.lastIndexOf(NEWLINE);
  const isLine = before >= 0 || start === 0;
  if (!isLine || tail.length !== size + 1 - start || tail.at(-1) !== TAB) return;
  const piece = tail.subarray(before + 1, -1);
  await withFile(path, TO_CHANGE, async (fd) => {
    if (!isWhole(piece)) return blank(fd, size - piece.length, size);
    await write(fd, '\n', size);
  });
}
