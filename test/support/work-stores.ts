import { openWorkFile } from '../../src/work/work-databases.js';
import type { BoundedWork } from '../../src/work/work-rows.js';

interface WorkOptions {
  /** Of one space. */
  readonly maxBytes?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** False for a command. */
  readonly creates?: boolean;
}

/** The work file, as one process opens it, for stores with a limit. */
export const boundedWork = (
  file: string,
  { maxBytes = 1e9, now = () => 0, creates = true }: WorkOptions = {},
): BoundedWork => ({ database: openWorkFile(file, creates), maxBytes, now });
