import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../config/make-folder.js';
import { codeIn } from '../core/errors.js';
import { type CopiedFile, type Refusal, RefusalList } from './source.js';

/** The limits of one copy. */
export interface CopyLimits {
  readonly files: number;
  /** Of all files. */
  readonly bytes: number;
  /** Of one file. */
  readonly fileBytes: number;
}

export const COPY_LIMITS: CopyLimits = { files: 100_000, bytes: 2_000_000_000, fileBytes: 50_000_000 };

const MAX_PATH_BYTES = 1_000;
const MAX_PART_BYTES = 255;
/** Names of the folder of git, also as Windows reads them. */
const OF_GIT = /^(?:\.git[ .]*|git~\d+)$/i;
/** Characters and endings that names can't have on Windows. */
const OF_WINDOWS = /[:<>|"?*]|[. ]$/;
/** Names of devices on Windows, also with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Refusals that are listed; the rest is counted. */
const MAX_REFUSED = 1_000;

/** True for a name that Windows has reserved. */
export const isDeviceName = (name: string): boolean => DEVICE.test(name);

/** Why a path of a source is not written; null for one that stays inside of the copy on every system. */
export function copyPathProblem(path: string): string | null {
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'an absolute path';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return 'a path that is too long';
  if (/[\p{Cc}\\]/u.test(path)) return 'a path with characters that no file name should have';
  const parts = path.split('/');
  if (parts.includes('..')) return 'a path that leaves its folder';
  if (parts.some((part) => part === '' || part === '.')) return 'a path that is not plain';
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES)) return 'a name that is too long';
  const isReserved = (part: string): boolean =>
    OF_GIT.test(part) || (process.platform === 'win32' && (isDeviceName(part) || OF_WINDOWS.test(part)));
  return parts.some(isReserved) ? 'a reserved name' : null;
}

/** The size or the number of files of a source exceeds what a copy may hold. */
export class CopyTooLargeError extends Error {}

/** Writes the files of a source into an empty folder, within the limits. Only regular files are made. */
export class CopyFiles {
  private readonly found: CopiedFile[] = [];
  private readonly refusals = new RefusalList(MAX_REFUSED, (further) => ({
    address: `${further} more`,
    reason: 'also refused',
  }));
  private bytes = 0;

  constructor(
    private readonly folder: string,
    private readonly limits: CopyLimits = COPY_LIMITS,
  ) {}

  /** Writes a file. @throws CopyTooLargeError */
  write(file: CopiedFile, bytes: Uint8Array): void {
    this.add(file, bytes.length, (target) => {
      const open = openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(open, bytes, at);
      } finally {
        closeSync(open);
      }
      setTime(target, file.modifiedAt);
    });
  }

  /** Takes a file of the last copy over. @returns false if it is not there @throws CopyTooLargeError */
  link(file: CopiedFile, from: string): boolean {
    const found = statSync(from, { throwIfNoEntry: false });
    if (!found) return false;
    this.add(file, found.size, (target) => {
      if (!linkOrCopy(from, target)) setTime(target, file.modifiedAt);
    });
    return true;
  }

  refuse(address: string, reason: string): void {
    this.refusals.add(address, reason);
  }

  get files(): readonly CopiedFile[] {
    return this.found;
  }

  get refused(): readonly Refusal[] {
    return this.refusals.list();
  }

  /** True for a file from which no page takes text. Archives are noted, since they can have documents. */
  leavesOut(path: string): boolean {
    if (ARCHIVE.test(path))
      this.refuse(path, 'an archive in a source; unpack it, or add it alone: pith add FILE');
    return MEDIA.test(path);
  }

  private add(file: CopiedFile, size: number, make: (target: string) => void): void {
    const { files, bytes, fileBytes } = this.limits;
    const problem = copyPathProblem(file.path);
    if (problem !== null) return this.refuse(JSON.stringify(file.path.slice(0, 200)), problem);
    if (size > fileBytes) return this.refuse(file.path, `${size} bytes exceed the limit of ${fileBytes}`);
    this.bytes += size;
    if (this.bytes > bytes) throw new CopyTooLargeError(`it has more than ${bytes} bytes`);
    if (this.found.length >= files) throw new CopyTooLargeError(`it has more than ${files} files`);
    const target = join(this.folder, file.path);
    try {
      makeFolder(dirname(target));
      make(target);
      this.found.push(file);
    } catch (error) {
      // Two names are one on this file system, or a file has the name of a folder.
      if (!isTaken(error)) throw error;
      this.refuse(file.path, 'another file has its name');
    }
  }
}

/** Takes a file of another copy over. @returns false if it was copied: not every file system has links */
export function linkOrCopy(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return false;
  }
}

const isTaken = (error: unknown): boolean =>
  ['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(codeIn(error));

function setTime(target: string, modifiedAt: string | undefined): void {
  const time = modifiedAt === undefined ? NaN : Date.parse(modifiedAt);
  if (!Number.isNaN(time)) utimesSync(target, time / 1000, time / 1000);
}

const MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|mp[34]|m4[av]|mov|webm|avi|wav|ogg|woff2?|ttf|otf|eot|zip|gz|tgz|bz2|xz|7z|rar|jar|war|exe|dll|so|dylib|class|pyc|wasm|bin|iso|dmg)$/i;
const ARCHIVE = /\.(?:zip|gz|tgz|bz2|xz|7z|rar)$/i;
