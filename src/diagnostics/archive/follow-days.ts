import { setTimeout as after } from 'node:timers/promises';
import { type DiagnosticRecord, readRecord } from '../record/diagnostic-record.js';
import { daysIn, type OpenedFile, withDayFile } from './day-folders.js';
import { LINES_NAME } from './diagnostic-paths.js';
import { readRange } from './file-calls.js';
import { MAX_LINE_BYTES } from './torn-line.js';

/** Number of days to follow. A call that ends after midnight is recorded under the previous day. */
const DAYS = 2;
const NEWLINE = '\n';

interface Reached {
  readonly inode: number;
  readonly at: number;
}

async function endOfLines({ fd, size, inode }: OpenedFile): Promise<Reached> {
  const start = Math.max(0, size - MAX_LINE_BYTES);
  const tail = await readRange(fd, start, size);
  return { inode, at: start + tail.lastIndexOf(NEWLINE) + 1 };
}

/** Reads the files of days while they grow. */
export class DayFollower {
  private readonly reached = new Map<string, Reached>();
  /** Days older than the start are ignored, even if they become the newest. */
  private since = '';

  private constructor(private readonly folder: string) {}

  /** Starts after the existing records. */
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

  async *follow(signal: AbortSignal, pollMs: number): AsyncGenerator<DiagnosticRecord> {
    while (!signal.aborted) {
      for await (const record of this.news()) {
        yield record;
        if (signal.aborted) return;
      }
      // An abort is not a failure.
      await after(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Records written since the last call, in file order. */
  private async *news(): AsyncGenerator<DiagnosticRecord> {
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

  /** The next complete lines of a day's file; [] if there are none. */
  private async read(day: string): Promise<Buffer[]> {
    const lines = await withDayFile(this.folder, { day, name: LINES_NAME }, async ({ fd, size, inode }) => {
      const known = this.reached.get(day);
      // A replaced file is read from its start; it may have the same inode.
      const at = known?.inode === inode && known.at <= size ? known.at : 0;
      const bytes = await readRange(fd, at, Math.min(size, at + MAX_LINE_BYTES));
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      // An overlong line is skipped; its end does not parse as a record.
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
