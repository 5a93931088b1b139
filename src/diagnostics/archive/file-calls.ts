import * as fs from 'node:fs';
import { promisify } from 'node:util';

// Bare descriptors: handles of `fs/promises` cost the event loop 50% more per call.
export const open = promisify(fs.open);
export const read = promisify(fs.read);
export const write = promisify(fs.write);
export const close = promisify(fs.close);
export const fstat = promisify(fs.fstat);
export const lstat = promisify(fs.lstat);

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;
// Never follow links (Windows has no such flag) and never wait for pipes.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
const CAREFULLY = O_NOFOLLOW | O_NONBLOCK;

/** Flags for opening diagnostics files. */
export const TO_READ = O_RDONLY | CAREFULLY;
export const TO_CHANGE = O_RDWR | CAREFULLY;
export const TO_APPEND = O_RDWR | O_APPEND | O_CREAT | CAREFULLY;
export const TO_CREATE = O_WRONLY | O_CREAT | O_EXCL | CAREFULLY;

/** Only the operator may read diagnostics. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Runs work on a file and closes it. */
export async function withFile<T>(path: string, flags: number, work: (fd: number) => Promise<T>): Promise<T> {
  const fd = await open(path, flags, FILE_MODE);
  try {
    return await work(fd);
  } finally {
    await close(fd);
  }
}

/** Reads a range of a file; less if the file has become shorter. */
export async function readRange(fd: number, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await read(fd, buffer, length, buffer.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
