import { unlink } from 'node:fs/promises';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { dayOf, type DiagnosticRecord } from '../record/diagnostic-record.js';
import { renderDiagnostic } from '../report/render-diagnostic.js';
import { DayFile } from './day-folders.js';
import { type DiagnosticPaths, pathsOf } from './diagnostic-paths.js';
import { TO_CREATE, withFile, write } from './file-calls.js';
import { MAX_LINE_BYTES } from './torn-line.js';

export interface DiagnosticWriterOptions {
  /** Contains a folder for each day; created with the first record. */
  readonly folder: string;
  /** Maximum number of queued records, > 0; more are dropped. Default 1,000. */
  readonly maxQueued?: number;
  /** Approximate maximum size of queued records in bytes, > 0. Default 32 MB. */
  readonly maxQueuedBytes?: number;
  /** Called for the first failure after a success; must not throw. */
  readonly onFailure: (error: unknown) => void;
}

export interface DiagnosticCounters {
  /** Records that wait or are being written. */
  readonly queued: number;
  readonly written: number;
  readonly dropped: number;
  /** Records whose line or page could not be written. */
  readonly failed: number;
}

/** Must not throw. */
type WrittenObserver = (record: DiagnosticRecord, paths: DiagnosticPaths) => void;

interface Entry {
  readonly record: DiagnosticRecord;
  readonly paths: DiagnosticPaths;
  readonly line: Buffer;
}

const MAX_QUEUED = 1_000;
const MAX_QUEUED_BYTES = 33_554_432;
/** Typical upper bound of memory for a record and for each of its sections, in bytes. */
const RECORD_BYTES = 4_096;
const SECTION_BYTES = 1_024;
/** Batching delay (ms); batches keep file I/O out of the calls between them. */
const PAUSE_MS = 100;
/** Size of the records serialized in one turn of the event loop, about a millisecond. */
const BATCH_BYTES = 131_072;

function roughBytes({ results, left_out, pre_dedupe = [] }: DiagnosticRecord): number {
  return RECORD_BYTES + SECTION_BYTES * (results.length + left_out.length + pre_dedupe.length);
}

async function writePage({ record, paths: { markdown } }: Entry): Promise<void> {
  const bytes = Buffer.from(renderDiagnostic(record));
  await withFile(markdown, TO_CREATE, async (fd) => {
    try {
      const { bytesWritten } = await write(fd, bytes);
      if (bytesWritten < bytes.length) throw new Error(`no space left in the size limit for ${markdown}`);
    } catch (error) {
      // A missing page can be rendered from the record; half a page can't be detected.
      await unlink(markdown);
      throw error;
    }
  });
}

/**
 * Writes diagnostics after their calls, in batches: the lines of a batch in one write, so that processes may share a
 * folder, then a page for each record. Records that can't be written are counted and dropped.
 */
export class DiagnosticWriter {
  private readonly queue: DiagnosticRecord[] = [];
  private queuedBytes = 0;
  private underWay = 0;
  private written = 0;
  private dropped = 0;
  private failed = 0;
  private isFailing = false;
  private draining: Promise<void> | null = null;
  /** Ends the pause, if there is one. */
  private hurry = (): void => undefined;
  private file: DayFile | null = null;
  private closing: Promise<void> | null = null;
  private readonly observers: WrittenObserver[] = [];

  constructor(private readonly options: DiagnosticWriterOptions) {}

  onWritten(observer: WrittenObserver): void {
    this.observers.push(observer);
  }

  /** True if a record would probably be written now: there is room, and the last write succeeded. */
  accepts(): boolean {
    return this.hasRoom() && !this.isFailing;
  }

  write(record: DiagnosticRecord): void {
    if (!this.hasRoom()) {
      this.dropped++;
      return;
    }
    this.queue.push(record);
    this.queuedBytes += roughBytes(record);
    this.draining ??= this.drain();
  }

  counters(): DiagnosticCounters {
    const { written, dropped, failed } = this;
    return { queued: this.queue.length + this.underWay, written, dropped, failed };
  }

  /** Resolves when all queued records are written or have failed. */
  async flush(): Promise<void> {
    while (this.draining) {
      this.hurry();
      await this.draining;
    }
  }

  /** Flushes once, for at most `limitMs`. */
  close(limitMs: number): Promise<void> {
    // The last call is recorded one turn after its answer.
    const flushed = (): Promise<void> => nextTurn().then(() => this.flush());
    this.closing ??= Promise.race([flushed(), delay(limitMs, undefined, { ref: false })]);
    return this.closing;
  }

  private hasRoom(): boolean {
    const { maxQueued = MAX_QUEUED, maxQueuedBytes = MAX_QUEUED_BYTES } = this.options;
    return this.queue.length + this.underWay < maxQueued && this.queuedBytes < maxQueuedBytes;
  }

  private async drain(): Promise<void> {
    // The recorded call is answered before the write, and often the next calls are, too.
    await this.pause();
    for (let batch = this.take(); batch.length > 0; batch = this.take()) await this.writeBatch(batch);
    this.draining = null;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The next records of one day, few enough to serialize quickly. */
  private take(): Entry[] {
    const batch: Entry[] = [];
    let bytes = 0;
    while (bytes < BATCH_BYTES) {
      const record = this.queue[0];
      if (!record || (batch[0] && dayOf(record) !== dayOf(batch[0].record))) break;
      this.queue.shift();
      this.queuedBytes -= roughBytes(record);
      const entry = this.entryOf(record);
      if (!entry) continue;
      batch.push(entry);
      bytes += entry.line.length;
    }
    this.underWay = batch.length;
    return batch;
  }

  private entryOf(record: DiagnosticRecord): Entry | null {
    try {
      const paths = pathsOf(this.options.folder, record);
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      if (line.length > MAX_LINE_BYTES) throw new Error(`a record of ${line.length} bytes is too long`);
      return { record, paths, line };
    } catch (error) {
      this.fail(1, error);
      return null;
    }
  }

  private async writeBatch(batch: readonly Entry[]): Promise<void> {
    const { whole, error } = await this.writeLines(batch);
    for (const entry of batch.slice(0, whole)) {
      await writePage(entry).then(
        () => this.succeed(entry),
        (error: unknown) => this.fail(1, error),
      );
      this.underWay--;
    }
    if (whole < batch.length) this.fail(batch.length - whole, error);
    this.underWay = 0;
  }

  private async writeLines(batch: readonly Entry[]): Promise<{ whole: number; error?: unknown }> {
    try {
      const file = await this.fileAt(batch[0]?.paths.jsonl ?? '');
      const whole = await file.append(batch.map(({ line }) => line));
      if (whole === batch.length) return { whole };
      await this.letGo();
      return {
        whole,
        error: new Error(
          `${file.path} took a part of it: the disk is full, or the file has reached its size limit`,
        ),
      };
    } catch (error) {
      await this.letGo();
      return { whole: 0, error };
    }
  }

  private async fileAt(path: string): Promise<DayFile> {
    if (this.file?.path === path && (await this.file.isInPlace())) return this.file;
    await this.letGo();
    this.file = await DayFile.open(path);
    return this.file;
  }

  private async letGo(): Promise<void> {
    const { file } = this;
    this.file = null;
    await file?.close().catch((error: unknown) => this.fail(0, error));
  }

  private succeed({ record, paths }: Entry): void {
    this.written++;
    this.isFailing = false;
    for (const observer of this.observers) observer(record, paths);
  }

  private fail(records: number, error: unknown): void {
    this.failed += records;
    if (!this.isFailing) this.options.onFailure(error);
    this.isFailing = true;
  }
}
