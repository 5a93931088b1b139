import { fstatSync, ftruncateSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { fstat, readRange, TO_CHANGE, withFile, write } from './file-calls.js';

/** No line is longer; what is, is no line of ours. */
export const MAX_LINE_BYTES = 4_194_304;

const NEWLINE = 0x0a;
const TAB = 0x09;
/** What can stand behind a torn piece: the end of its line, another record, the tab of a process that mends. */
const NEXT: readonly number[] = [NEWLINE, TAB, 0x7b];
/** How far other processes may have written on before a torn piece of ours is looked for. */
const LOOK_BACK_BYTES = 1_048_576;
/** A write that is under way has gone on after this. */
const LOOK_AGAIN_MS = 50;

/**
 * Writes spaces over a torn line. They may stand before any line, so that what another process has meanwhile written
 * behind the piece can be read again, and nothing that is not ours is cut off.
 */
async function blank(fd: number, from: number, to: number): Promise<void> {
  const { bytesWritten } = await write(fd, Buffer.alloc(to - from, ' '), 0, to - from, from);
  if (bytesWritten < to - from) throw new Error('an incomplete line could not be repaired');
}

/** Where a piece stands that nothing of its line follows; -1 where it doesn't. */
function placeOf(piece: Buffer, tail: Buffer): number {
  for (let at = tail.lastIndexOf(piece); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(piece, at - 1)) {
    const next = tail[at + piece.length];
    if (next === undefined || NEXT.includes(next)) return at;
  }
  return -1;
}

/**
 * Takes back the torn end of a write of our own that came out short.
 * @param piece  the bytes of the line that was torn which reached the file
 */
export async function takeBack(path: string, piece: Buffer): Promise<void> {
  await withFile(path, TO_CHANGE, async (fd) => {
    const { size } = await fstat(fd);
    const start = Math.max(0, size - piece.length - LOOK_BACK_BYTES);
    const at = placeOf(piece, await readRange(fd, start, size));
    if (at < 0) return;
    const [from, to] = [start + at, start + at + piece.length];
    await blank(fd, from, to);
    // With nothing between the two calls, so that nobody's line is cut off who wrote behind the piece.
    if (fstatSync(fd).size === to) ftruncateSync(fd, from);
  });
}

/** Whether a text is a whole record, though no newline ends it. */
function isWhole(piece: Buffer): boolean {
  try {
    JSON.parse(piece.toString('utf8'));
    return true;
  } catch {
    // Torn, which is what we wanted to know.
    return false;
  }
}

const endsWhole = async (fd: number, size: number): Promise<boolean> =>
  size === 0 || (await readRange(fd, size - 1, size))[0] === NEWLINE;

/**
 * Writes over what a killed process has left of its last line, so that the next line starts as one.
 *
 *     …}\n{"schema_ver          the process was killed here
 *     …}\n{"schema_ver⇥         our tab, which no line holds, waits for whoever may still be writing: if it stands
 *     …}\n            ⇥         right behind the piece, nobody was, and the piece becomes spaces
 *
 * @param log  the file, open for reading and appending
 */
export async function mendEnd(log: number, path: string): Promise<void> {
  const { size } = await fstat(log);
  if (await endsWhole(log, size)) return;
  await after(LOOK_AGAIN_MS);
  // Somebody is writing.
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
