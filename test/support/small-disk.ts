import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { PithOptions } from './run-pith.js';

/** A small disk. */
export interface SmallDisk {
  readonly path: string;
  /** Options with which the program runs out of disk space. */
  readonly options: PithOptions;
  /** Frees space. */
  readonly grow: () => void;
  readonly remove: () => void;
}

// A run that continues instead of failing must not block the suite.
const BOUNDED = 'set -- timeout -s KILL 20 "$@"';

function mounted(path: string): SmallDisk | null {
  const mount = (...args: string[]): void => void execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path);
  } catch {
    // Mounting needs root, and not every container allows it.
    return null;
  }
  return {
    path,
    options: { shell: BOUNDED },
    grow: () => mount('-o', 'remount,size=64m', path),
    remove: () => void execFileSync('umount', ['-l', path]),
  };
}

/** A mounted disk of 2 MB; if mounting fails, a limit on file sizes, which gives the same error. */
export function smallDisk(path: string): SmallDisk {
  mkdirSync(path);
  const limited = { shell: `trap '' XFSZ; ulimit -f 1500; ${BOUNDED}` };
  return mounted(path) ?? { path, options: limited, grow: () => undefined, remove: () => undefined };
}
