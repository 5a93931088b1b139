import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { close, FILE_MODE, FOLDER_MODE, fstat, lstat, open, TO_APPEND, write } from './file-calls.js';
import { mendEnd, takeBack } from './torn-line.js';

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is a symbolic link, not a folder`);
}

/** A file of lines that this process, and others, append to. */
export class DayFile {
  private constructor(
    readonly path: string,
    private readonly fd: number,
    private readonly inode: number,
    /** As we left it; more is what others have written. */
    private size: number,
  ) {}

  /**
   * Opens a file, and makes it and its folder where there is none.
   * @throws where the folder or the file is a link, or no file
   */
  static async open(path: string): Promise<DayFile> {
    await makeFolder(dirname(path));
    const fd = await open(path, TO_APPEND, FILE_MODE);
    try {
      const stats = await fstat(fd);
      if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
      await mendEnd(fd, path);
      return new DayFile(path, fd, stats.ino, (await fstat(fd)).size);
    } catch (error) {
      await close(fd);
      throw error;
    }
  }

  /** Whether the file is still where it was opened; it may have been removed or moved away. */
  async isInPlace(): Promise<boolean> {
    const stats = await lstat(this.path).catch(() => null);
    if (stats?.ino !== this.inode) return false;
    // Who wrote may have been killed over it.
    if (stats.size !== this.size) await mendEnd(this.fd, this.path);
    this.size = stats.size;
    return true;
  }

  /**
   * Appends lines in one write, which no other process's write can come between.
   * @param lines  each with the newline that ends it
   * @returns how many of them, from the first, are in the file; none of the others has left anything in it
   */
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
