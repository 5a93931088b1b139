import { opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/turns/clock.js';
import { daysIn } from './day-folders.js';
import { isOurs } from './diagnostic-paths.js';

interface RetentionOptions extends Clock {
  readonly folder: string;
  /** Number of days to keep before today; 0 keeps all. */
  readonly retentionDays: number;
  /** Time limit; the next start continues. */
  readonly timeLimitMs: number;
}

const DAY_MS = 86_400_000;

/** True if one entry was removed; false if it is already gone or removing it is not permitted. */
const attempt = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

async function emptyFolder(path: string, isTimeUp: () => boolean): Promise<number> {
  let removed = 0;
  for await (const entry of await opendir(path)) {
    if (isTimeUp()) return removed;
    // Links are not followed.
    if (!entry.isFile() || !isOurs(entry.name)) continue;
    if (await attempt(unlink(join(path, entry.name)))) removed++;
  }
  // A folder with other files stays.
  await attempt(rmdir(path));
  return removed;
}

/**
 * Removes the diagnostics of old days, oldest first: files that a writer made in folders named by a day, then empty
 * folders. Never fails; entries that can't be removed stay.
 */
export async function removeOldDiagnostics(options: RetentionOptions): Promise<{ removed: number }> {
  const { folder, retentionDays, now, steady, timeLimitMs } = options;
  const start = steady();
  const isTimeUp = (): boolean => steady() - start >= timeLimitMs;
  const oldestKept = new Date(now() - retentionDays * DAY_MS).toISOString().slice(0, 10);
  let removed = 0;
  if (retentionDays === 0) return { removed };
  const days = await daysIn(folder).catch(() => []);
  for (const day of days.reverse()) {
    if (day >= oldestKept || isTimeUp()) break;
    removed += await emptyFolder(join(folder, day), isTimeUp).catch(() => 0);
  }
  return { removed };
}
