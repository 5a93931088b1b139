import type { Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { codeIn } from '../../core/errors.js';
import { isDay } from './diagnostic-paths.js';
import {
  close,
  FILE_MODE,
  FOLDER_MODE,
  fstat,
  lstat,
  open,
  TO_APPEND,
  TO_READ,
  write,
} from './file-calls.js';
import { mendEnd, takeBack } from './torn-line.js';

/** Error codes of missing files and of links and pipes, which are not read. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

function orAbsent(error: unknown): null {
  if (ABSENT.includes(codeIn(error))) return null;
  throw error;
}

/** The days with a folder, newest first; links are ignored. */
export async function daysIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orAbsent);
  const days = (entries ?? []).filter((entry) => entry.isDirectory() && isDay(entry.name));
  const names = days.map(({ name }) => name);
  return names.sort().reverse();
}

export interface OpenedFile {
  readonly fd: number;
  readonly size: number;
  readonly inode: number;
}

/** Reads a file of a day. @returns null if it is missing, or if it or its folder is a link */
export async function withDayFile<T>(
  folder: string,
  { day, name }: { readonly day: string; readonly name: string },
  work: (file: OpenedFile) => Promise<T>,
): Promise<T | null> {
  const stats = await lstat(join(folder, day)).catch(orAbsent);
  if (!stats?.isDirectory()) return null;
  const fd = await open(join(folder, day, name), TO_READ).catch(orAbsent);
  if (fd === null) return null;
  try {
    const opened = await fstat(fd);
    return opened.isFile() ? await work({ fd, size: opened.size, inode: opened.ino }) : null;
  } finally {
    await close(fd);
  }
}

async function makeRealFolder(path: string): Promise<void> {
  makeFolder(path, FOLDER_MODE);
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is a symbolic link, not a folder`);
}

/** A file of lines that several processes append to. */
export class DayFile {
  private readonly inode: number;
  /** Size after our last write; anything more comes from other processes. */
  private size: number;

  private constructor(
    readonly path: string,
    private readonly fd: number,
    { ino, size }: Pick<Stats, 'ino' | 'size'>,
  ) {
    this.inode = ino;
    this.size = size;
  }

  /** Opens a file; creates it and its folder if missing. @throws if either is a link, or the file is not regular */
  static async open(path: string): Promise<DayFile> {
    await makeRealFolder(dirname(path));
    const fd = await open(path, TO_APPEND, FILE_MODE);
    try {
      if (!(await fstat(fd)).isFile()) throw new Error(`${path} is not a regular file`);
      await mendEnd(fd, path);
      return new DayFile(path, fd, await fstat(fd));
    } catch (error) {
      await close(fd);
      throw error;
    }
  }

  /** False if the file was removed or moved. */
  async isInPlace(): Promise<boolean> {
    const stats = await lstat(this.path).catch(() => null);
    if (stats?.ino !== this.inode) return false;
    // The writer may have been killed in the middle of a line.
    if (stats.size !== this.size) await mendEnd(this.fd, this.path);
    this.size = stats.size;
    return true;
  }

  /** Appends in one write, so that lines stay whole. @returns number of complete lines; a torn one is removed */
  async append(lines: readonly Buffer[]): Promise<number> {
    const bytes = Buffer.concat(lines);
    const { bytesWritten } = await write(this.fd, bytes);
    this.size += bytesWritten;
    if (bytesWritten === bytes.length) return lines.length;
    let end = 0;
    const torn = lines.findIndex((line) => (end += line.length) > bytesWritten);
    const start = end - (lines[torn]?.length ?? 0);
    if (start < bytesWritten) await takeBack(this.path, bytes.subarray(start, bytesWritten));
    return torn;
  }

  async close(): Promise<void> {
    await close(this.fd);
  }
}
