import { setTimeout as after } from 'node:timers/promises';
import { InvalidArgumentError } from '../../core/errors.js';
import { type DiagnosticRecord, readRecord } from '../record/diagnostic-record.js';
import { renderDiagnostic } from '../report/render-diagnostic.js';
import { daysIn, type OpenedFile, withDayFile } from './day-folders.js';
import { type DiagnosticFilter, matchesDay, passesFilter } from './diagnostic-filter.js';
import { isDay, isDiagnosticId, LINES_NAME, pageName } from './diagnostic-paths.js';
import { readRange } from './file-calls.js';
import { type Line, linesBackwards } from './lines-backwards.js';
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
class DayFollower {
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

interface ArchiveOptions {
  /** Maximum number of bytes that one list reads, > 0; then it reports that there may be more. Default 16 MB. */
  readonly maxBytes?: number;
  /** Polling interval of followers (ms). Default 250. */
  readonly pollMs?: number;
}

export interface ListOptions {
  /** Maximum number of records, 1 to 500. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: string | undefined;
}

export interface DiagnosticPage {
  /** Most recently written first. */
  readonly records: readonly DiagnosticRecord[];
  /** Cursor of the next page; null if nothing older is left. */
  readonly next: string | null;
  /** False if the page ended at a limit of what is read; `next` continues it. */
  readonly isComplete: boolean;
  /** Lines that are torn or from another program. */
  readonly skipped: number;
}

const MAX_BYTES = 16_777_216;
/** Searching for an id is cheap, so the limit is higher. */
const FIND_BYTES = 268_435_456;
const PAGE_BYTES = 4_194_304;
const POLL_MS = 250;

interface Listing {
  readonly filter: DiagnosticFilter;
  readonly limit: number;
  readonly records: DiagnosticRecord[];
  skipped: number;
  bytesLeft: number;
}

interface DiagnosticPlace {
  readonly day: string;
  /** In bytes; the lines before it are not listed yet. */
  readonly at: number;
}

function encodePlace({ day, at }: DiagnosticPlace): string {
  return Buffer.from(`${day}.${at}`).toString('base64url');
}

/** @throws InvalidArgumentError `cursor_invalid` */
function decodePlace(cursor: string): DiagnosticPlace {
  const [day = '', digits] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
  const place = { day, at: Number(digits) };
  // Decoding is lenient, so the cursor must equal its own encoding.
  if (isDay(day) && Number.isSafeInteger(place.at) && place.at >= 0 && encodePlace(place) === cursor)
    return place;
  throw new InvalidArgumentError('The cursor was not issued by a list of diagnostics.', {
    reason: 'cursor_invalid',
    hint: 'Repeat the call without cursor.',
  });
}

/** Reads the records that this and other processes append to a folder. */
export class DiagnosticArchive {
  constructor(
    private readonly folder: string,
    private readonly options: ArchiveOptions = {},
  ) {}

  /** Lists the records that pass a filter, newest first. @throws InvalidArgumentError `cursor_invalid` */
  async list(filter: DiagnosticFilter, { limit, before }: ListOptions): Promise<DiagnosticPage> {
    const start = before === undefined ? null : decodePlace(before);
    const { maxBytes = MAX_BYTES } = this.options;
    const listing: Listing = { filter, limit, records: [], skipped: 0, bytesLeft: maxBytes };
    const days = (await daysIn(this.folder)).filter(
      (day) => matchesDay(filter, day) && (!start || day <= start.day),
    );
    let end: DiagnosticPlace | null = null;
    for (const day of days) {
      end = await this.listDay(listing, { day, at: start?.day === day ? start.at : Infinity });
      if (end) break;
    }
    const isOldest = end === null || (end.at === 0 && end.day === days.at(-1));
    const { records, skipped } = listing;
    const isComplete = isOldest || records.length === limit;
    return { records, next: end && !isOldest ? encodePlace(end) : null, isComplete, skipped };
  }

  /** Finds a record; if a day is given, searches only that day. @returns null also for an invalid id or day */
  async find(id: string, day?: string): Promise<DiagnosticRecord | null> {
    let bytesLeft = FIND_BYTES;
    for (const candidate of await this.daysOf(id, day)) {
      const file = { day: candidate, name: LINES_NAME };
      const found = await withDayFile(this.folder, file, async ({ fd, size }) => {
        for await (const { lines, bytesRead } of linesBackwards(fd, size)) {
          const record = recordAmong(lines, id);
          if (record) return record;
          bytesLeft -= bytesRead;
          if (bytesLeft <= 0) break;
        }
        return null;
      });
      if (found || bytesLeft <= 0) return found;
    }
    return null;
  }

  /** Reads a record's page, or renders it if none was written. @returns null in the same cases as `find` */
  async markdown(id: string, day?: string): Promise<string | null> {
    for (const candidate of await this.daysOf(id, day)) {
      const page = await withDayFile(this.folder, { day: candidate, name: pageName(id) }, ({ fd, size }) =>
        readRange(fd, 0, Math.min(size, PAGE_BYTES)),
      );
      if (page && page.length > 0) return page.toString('utf8');
    }
    const record = await this.find(id, day);
    return record && renderDiagnostic(record);
  }

  /** Yields the records that any process writes after this generator starts, until the signal fires. */
  async *follow(signal: AbortSignal): AsyncGenerator<DiagnosticRecord> {
    const follower = await DayFollower.start(this.folder);
    yield* follower.follow(signal, this.options.pollMs ?? POLL_MS);
  }

  /** Days that may contain an id; the day that has its page comes first. */
  private async daysOf(id: string, day: string | undefined): Promise<string[]> {
    if (!isDiagnosticId(id) || (day !== undefined && !isDay(day))) return [];
    if (day !== undefined) return [day];
    const days = await daysIn(this.folder);
    for (const [i, candidate] of days.entries()) {
      const page = { day: candidate, name: pageName(id) };
      if (await withDayFile(this.folder, page, async () => true)) return [candidate, ...days.toSpliced(i, 1)];
    }
    return days;
  }

  /** Lists the records of one day. @returns where the next page starts; null if the list continues in an older day */
  private async listDay(listing: Listing, { day, at }: DiagnosticPlace): Promise<DiagnosticPlace | null> {
    return withDayFile(this.folder, { day, name: LINES_NAME }, async ({ fd, size }) => {
      const end = Math.min(at, size);
      for await (const { lines, tooLong, bytesRead, resumeAt } of linesBackwards(fd, end)) {
        const last = collect(listing, lines);
        if (last) return { day, at: last.at };
        listing.skipped += tooLong;
        listing.bytesLeft -= bytesRead;
        if (listing.bytesLeft <= 0 && resumeAt < end) return { day, at: resumeAt };
      }
      return null;
    });
  }
}

/** The record with an id. Stored texts of other records may contain the id, too. */
function recordAmong(lines: readonly Line[], id: string): DiagnosticRecord | null {
  const mark = `"diagnostic_id":"${id}"`;
  for (const { bytes } of lines) {
    const record = bytes.includes(mark) ? readRecord(bytes) : null;
    if (record?.diagnostic_id === id) return record;
  }
  return null;
}

/** Adds records to a list. @returns the line that filled it */
function collect(listing: Listing, lines: readonly Line[]): Line | undefined {
  return lines.find(({ bytes }) => {
    const record = readRecord(bytes);
    if (!record) listing.skipped++;
    if (record && passesFilter(listing.filter, record)) listing.records.push(record);
    return listing.records.length >= listing.limit;
  });
}
