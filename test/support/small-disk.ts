import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { PithOptions } from './run-pith.js';

/** A place that holds little. */
export interface SmallDisk {
  readonly path: string;
  /** How to run the program so that it meets the end of the disk. */
  readonly options: PithOptions;
  /** Makes room. */
  readonly grow: () => void;
  readonly remove: () => void;
}

// A run that goes on and on instead of failing must not hold up the suite.
const BOUNDED = 'set -- timeout -s KILL 20 "$@"';

function mounted(path: string): SmallDisk | null {
  const mount = (...args: string[]): void => void execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', path);
  } catch {
    // Not root, or not in this container.
    return null;
  }
  return {
    path,
    options: { shell: BOUNDED },
    grow: () => mount('-o', 'remount,size=64m', path),
    remove: () => void execFileSync('umount', ['-l', path]),
  };
}

/** A mounted disk of 2 MB, or where none can be mounted, a bound on the size of files, which fails the same way. */
export function smallDisk(path: string): SmallDisk {
  mkdirSync(path);
  const limited = { shell: `trap '' XFSZ; ulimit -f 1500; ${BOUNDED}` };
  return mounted(path) ?? { path, options: limited, grow: () => undefined, remove: () => undefined };
}
