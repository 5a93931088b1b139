import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { BackendUnavailableError, codeIn } from '../core/errors.js';

/** A holder renews its lock. On another host, an older lock was left by a process that ended. */
const LOCK_STALE_MS = 30_000;
/** On this host the process id decides. No process is too busy to renew a lock for this time: another one has its id now. */
const LOCK_REUSED_MS = 600_000;
const LOCK_RENEW_MS = 5_000;
const LOCK_LOOK_MS = 200;

/** Waits for a lock between processes. @returns releases it */
export async function lockFile(file: string, now: () => number, signal: AbortSignal): Promise<() => void> {
  const holder = `${hostname()} ${process.pid} ${startedAt} ${randomBytes(8).toString('hex')}`;
  while (!tryLock(file, holder)) {
    const found = readLock(file);
    if (found !== null && isLeft(found, now())) stealLock(file, found.holder);
    else await after(LOCK_LOOK_MS, undefined, { signal });
  }
  const renewing = setInterval(() => renewLock(file, holder), LOCK_RENEW_MS);
  renewing.unref();
  return () => {
    clearInterval(renewing);
    if (readLock(file)?.holder === holder) rmSync(file, { force: true });
  };
}

/** After a restart of a container, a new process often has the id of the old one. */
const startedAt = Math.round(performance.timeOrigin);

interface Lock {
  /** Host, process id, start of the process, and a random token. */
  readonly holder: string;
  readonly renewedMs: number;
}

/** Null if there is none. */
function readLock(file: string): Lock | null {
  try {
    return { holder: readFileSync(file, 'utf8'), renewedMs: statSync(file).mtimeMs };
  } catch {
    // It was released meanwhile.
    return null;
  }
}

function tryLock(file: string, holder: string): boolean {
  try {
    writeFileSync(file, holder, { flag: 'wx', mode: 0o600 });
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
function isLeft({ holder, renewedMs }: Lock, now: number): boolean {
  const [host, pid = '', start] = holder.split(' ');
  const age = now - renewedMs;
  if (host !== hostname()) return age > LOCK_STALE_MS;
  const isReused = Number(pid) === process.pid && start !== String(startedAt);
  return isReused || age > LOCK_REUSED_MS || hasEnded(Number(pid));
}

/** True if no process of this host has the id. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeIn(error) === 'ESRCH';
  }
}

/** Of several processes, one renames the old lock. @param left  the holder that has ended */
function stealLock(file: string, left: string): void {
  const taken = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(file, taken);
    // Another process was faster, and this is its new lock.
    if (readFileSync(taken, 'utf8') !== left) linkSync(taken, file);
  } catch {
    // Another process was faster.
  }
  rmSync(taken, { force: true });
}

function renewLock(file: string, holder: string): void {
  if (readLock(file)?.holder !== holder) return;
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // It was taken after a long sleep of this machine.
  }
}
