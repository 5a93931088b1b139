import { opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { daysIn } from './day-folders.js';
import { isOurs } from './diagnostic-paths.js';

interface RetentionOptions {
  readonly folder: string;
  /** Days that are kept before today; 0 keeps them all. */
  readonly retentionDays: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** No file is begun after this; the next start goes on. */
  readonly timeLimitMs: number;
}

const DAY_MS = 86_400_000;

/** Removes one thing if that is possible. */
const attempt = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    // Gone already, or not ours to remove: the rest goes all the same.
    () => false,
  );

async function emptyFolder(path: string, isTimeUp: () => boolean): Promise<number> {
  let removed = 0;
  for await (const entry of await opendir(path)) {
    if (isTimeUp()) return removed;
    // A link is no file.
    if (!entry.isFile() || !isOurs(entry.name)) continue;
    if (await attempt(unlink(join(path, entry.name)))) removed++;
  }
  // Stays where it holds something else.
  await attempt(rmdir(path));
  return removed;
}

/**
 * Removes diagnostics of days that are over: files that a writer made, in folders that are named by a day, then the
 * folders that are empty; oldest first. Never fails; what could not be removed stays.
 */
export async function removeOldDiagnostics(options: RetentionOptions): Promise<{ removed: number }> {
  const { folder, retentionDays, now, timeLimitMs } = options;
  const start = now();
  const isTimeUp = (): boolean => now() - start >= timeLimitMs;
  const oldestKept = new Date(start - retentionDays * DAY_MS).toISOString().slice(0, 10);
  let removed = 0;
  if (retentionDays === 0) return { removed };
  const days = await daysIn(folder).catch(() => []);
  for (const day of days.reverse()) {
    if (day >= oldestKept || isTimeUp()) break;
    removed += await emptyFolder(join(folder, day), isTimeUp).catch(() => 0);
  }
  return { removed };
}
