import { InvalidArgumentError } from '../../core/errors.js';
import { type DiagnosticRecord, readRecord } from '../record/diagnostic-record.js';
import { renderDiagnostic } from '../report/render-diagnostic.js';
import { daysIn, withDayFile } from './day-folders.js';
import { type DiagnosticFilter, matchesDay, passesFilter } from './diagnostic-filter.js';
import { isDay, isDiagnosticId, LINES_NAME, pageName } from './diagnostic-paths.js';
import { readRange } from './file-calls.js';
import { DayFollower } from './follow-days.js';
import { type Line, linesBackwards } from './lines-backwards.js';

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
  /** False if the page ended at the byte limit; `next` continues it. */
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
