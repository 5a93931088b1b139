import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDay } from './diagnostic-paths.js';
import { close, fstat, lstat, open, TO_READ } from './file-calls.js';

/** Error codes of missing files and of links and pipes, which are not read. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

function orAbsent(error: unknown): null {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  if (hasCode && ABSENT.includes(String(error.code))) return null;
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
