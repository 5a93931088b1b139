import { createHash } from 'node:crypto';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../config/make-folder.js';
import { BackendUnavailableError } from '../../../core/errors.js';

const HOST_CHARS = 8;

/** The file system refused to write. */
export function notWritten(cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError('The files of the manifest could not be written.', {
    reason: 'checkout_failed',
    hint: 'Ask the operator to check the disk that has PITH_WORK_FILE.',
    cause,
  });
}

/** A process, told apart from others that have its id later or on another machine. */
interface FolderOwner {
  /** Lower-case hex. */
  readonly host: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export const thisProcess = (): FolderOwner => ({
  host: createHash('sha256').update(hostname()).digest('hex').slice(0, HOST_CHARS),
  pid: process.pid,
  startedAt: Math.floor(performance.timeOrigin),
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user.
    return Object(error)['code'] === 'EPERM';
  }
}

/** Settings of private folders. */
export interface PrivateFolders {
  /** Contains them and nothing else. */
  readonly parent: string;
  /** Longest use; folders that are older were left behind (ms). */
  readonly maxAgeMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly owner: FolderOwner;
}

const NAME = /^([0-9a-f]{8})-(\d+)-(\d+)-(\d+)-/;

/** True for a folder of a process that has ended. One of another machine is known by its age only. */
function isLeftBehind(name: string, { maxAgeMs, now, owner }: PrivateFolders): boolean {
  const [, host, pid, startedAt, madeAt] = NAME.exec(name) ?? [];
  if (host === undefined) return false;
  if (now - Number(madeAt) > maxAgeMs) return true;
  if (host !== owner.host) return false;
  return Number(pid) === owner.pid ? Number(startedAt) !== owner.startedAt : !isRunning(Number(pid));
}

// A file that can't be removed now is removed later.
const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true }).catch(() => undefined);

async function removeLeftBehind(folders: PrivateFolders): Promise<void> {
  const names = await readdir(folders.parent);
  for (const name of names) if (isLeftBehind(name, folders)) await remove(join(folders.parent, name));
}

async function makeOwnFolder(folders: PrivateFolders): Promise<string> {
  const { parent, now, owner } = folders;
  try {
    makeFolder(parent, 0o700);
    await removeLeftBehind(folders);
    const prefix = [owner.host, owner.pid, owner.startedAt, now, ''].join('-');
    return await realpath(await mkdtemp(join(parent, prefix)));
  } catch (error) {
    throw notWritten(error);
  }
}

/**
 * Calls a function with a new, empty folder that only this user can read, and removes it afterwards. Before that, it
 * removes the folders of processes that were killed.
 * @throws the error of the function; BackendUnavailableError `checkout_failed`
 */
export async function withPrivateFolder<T>(
  folders: PrivateFolders,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await makeOwnFolder(folders);
  try {
    return await use(folder);
  } finally {
    await remove(folder);
  }
}
