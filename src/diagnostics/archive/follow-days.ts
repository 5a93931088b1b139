import { setTimeout as after } from 'node:timers/promises';
import { daysIn, withDayFile } from './day-folders.js';
import type { OpenedFile } from './day-folders.js';
import { LINES_NAME } from './diagnostic-paths.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import { readRange } from './file-calls.js';
import { readRecord } from '../record/read-record.js';
import { MAX_LINE_BYTES } from './torn-line.js';

/** Calls that end after midnight belong to the day before. */
const DAYS = 2;
const NEWLINE = '\n';

/** How far a day's file has been read. */
interface Reached {
  readonly inode: number;
  readonly at: number;
}

/** Where the last whole line ends. */
async function endOfLines({ fd, size, inode }: OpenedFile): Promise<Reached> {
  const start = Math.max(0, size - MAX_LINE_BYTES);
  const tail = await readRange(fd, start, size);
  return { inode, at: start + tail.lastIndexOf(NEWLINE) + 1 };
}

/** Reads days' files as they grow. */
export class DayFollower {
  private readonly reached = new Map<string, Reached>();
  /** Older days are none of ours, even if they come to be among the newest. */
  private since = '';

  private constructor(private readonly folder: string) {}

  /** Begins with the records that are written from now on. */
  static async start(folder: string): Promise<DayFollower> {
    const follower = new DayFollower(folder);
    const days = (await daysIn(folder)).slice(0, DAYS);
    follower.since = days.at(-1) ?? '';
    for (const day of days) {
      const reached = await withDayFile(folder, { day, name: LINES_NAME }, endOfLines);
      if (reached) follower.reached.set(day, reached);
    }
    return follower;
  }

  /** The records that have been written since it was last asked, in the order of each day's file. */
  async *news(): AsyncGenerator<DiagnosticRecord> {
    const days = (await daysIn(this.folder)).slice(0, DAYS).filter((day) => day >= this.since);
    for (const day of days.reverse()) {
      for (let lines = await this.read(day); lines.length > 0; lines = await this.read(day)) {
        for (const line of lines) {
          const record = readRecord(line);
          if (record) yield record;
        }
      }
    }
  }

  /** The next whole lines of a day's file; [] when there are no more. */
  private async read(day: string): Promise<Buffer[]> {
    const lines = await withDayFile(this.folder, { day, name: LINES_NAME }, async ({ fd, size, inode }) => {
      const known = this.reached.get(day);
      // Another file in its place is new from its start; it may have got the same inode.
      const at = known?.inode === inode && known.at <= size ? known.at : 0;
      const bytes = await readRange(fd, at, Math.min(size, at + MAX_LINE_BYTES));
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      // What is too long for a line is passed over; its end will be no record.
      const isTooLong = end === 0 && bytes.length === MAX_LINE_BYTES;
      this.reached.set(day, { inode, at: at + (isTooLong ? bytes.length : end) });
      return isTooLong ? [bytes.subarray(0, 0)] : linesOf(bytes.subarray(0, end));
    });
    return lines ?? [];
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** Asks again and again until the signal fires. */
export async function* followDays(
  started: Promise<DayFollower>,
  signal: AbortSignal,
  pollMs: number,
): AsyncGenerator<DiagnosticRecord> {
  const follower = await started;
  while (!signal.aborted) {
    for await (const record of follower.news()) {
      yield record;
      if (signal.aborted) return;
    }
    // Being told to end is no failure.
    await after(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
