import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { close, FILE_MODE, FOLDER_MODE, fstat, lstat, open, TO_APPEND, write } from './file-calls.js';
import { mendEnd, takeBack } from './torn-line.js';

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
