import type { BoundedWork } from '../../src/work/work-database.port.js';
import { SqliteWorkDatabase } from '../../src/work/work-databases.js';

interface WorkOptions {
  /** Of one space. */
  readonly maxBytes?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** False for a command. */
  readonly creates?: boolean;
}

/** The work file, as one process opens it. */
export const workFile = (file: string, creates = true): SqliteWorkDatabase =>
  new SqliteWorkDatabase({ file, creates });

/** The same, for stores with a limit. */
export const boundedWork = (
  file: string,
  { maxBytes = 1e9, now = () => 0, creates = true }: WorkOptions = {},
): BoundedWork => ({ database: workFile(file, creates), maxBytes, now });
