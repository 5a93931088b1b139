import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { BackendUnavailableError } from '../core/errors.js';
import { codeIn } from './copy-files.js';

/** A holder of a lock renews it; a lock that is older was left by a process that ended. */
const LOCK_STALE_MS = 30_000;
const LOCK_RENEW_MS = 5_000;
const LOCK_LOOK_MS = 200;

/** Waits for a lock between processes. @returns releases it */
export async function lockFile(file: string, now: () => number, signal: AbortSignal): Promise<() => void> {
  while (!tryLock(file)) {
    if (isLeft(file, now())) stealLock(file);
    else await after(LOCK_LOOK_MS, undefined, { signal });
  }
  const renewing = setInterval(() => renewLock(file), LOCK_RENEW_MS);
  renewing.unref();
  return () => {
    clearInterval(renewing);
    rmSync(file, { force: true });
  };
}

const thisProcess = (): string => `${hostname()} ${process.pid}`;

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, thisProcess(), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeIn(error) === 'EEXIST') return false;
    throw new BackendUnavailableError(`The copy of the source can't be written: ${codeIn(error)}.`, {
      reason: 'source_copy_read_only',
      hint: 'Allow the user that runs Pith to write its data folder, and check that the disk is not full.',
      cause: error,
    });
  }
}

/** True for the lock of a process that has ended. */
function isLeft(file: string, now: number): boolean {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return false;
  if (now - mtimeMs > LOCK_STALE_MS) return true;
  try {
    const [host, pid] = readFileSync(file, 'utf8').split(' ');
    if (host !== hostname() || !pid) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeIn(error) === 'ESRCH';
  }
}

/** Of several processes, one renames the old lock. */
function stealLock(file: string): void {
  const taken = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(file, taken);
    rmSync(taken, { force: true });
  } catch {
    // Another process was faster.
  }
}

function renewLock(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // It was taken after a long sleep of this machine.
  }
}
