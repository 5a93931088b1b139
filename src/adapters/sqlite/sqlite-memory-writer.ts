import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { BackendUnavailableError, PithError } from '../../errors.js';
import { MEMORY_TABLES } from '../../inner-voice/memory-store.port.js';
import { MemoryWriter } from '../../inner-voice/memory-writer.port.js';
import type {
  ImportedRow,
  ImportEnd,
  ImportReport,
  MemoryStatus,
  ReembedReport,
  RowProgress,
} from '../../inner-voice/memory-writer.port.js';
import type { Embedder } from '../../kb/embedder.port.js';
import type { Database } from './driver.js';
import { inTransaction } from './in-transaction.js';
import { createMemory, raiseMemoryGeneration, readMemoryMeta, tableOf } from './memory-schema.js';
import type { MemoryMeta } from './memory-schema.js';
import { spaceFor } from './memory-space.js';
import { memoryStatus } from './memory-status.js';
import { embedMemory } from './memory-vectors.js';
import { messageOf, notAnIndex, openForReading, openForWriting } from './open-database.js';
import { StagedMemory } from './staged-memory.js';
import { removeRows, writeMemory } from './write-memory.js';

/** With so many rows the space has all its parts. */
const MANY_ROWS = Number.MAX_SAFE_INTEGER;

/** Writes memory into the index file. Nothing is opened for writing before an import is complete. */
export class SqliteMemoryWriter extends MemoryWriter {
  private staged: StagedMemory | null = null;
  private source = '';

  constructor(
    private readonly file: string,
    private readonly embedder: Embedder,
    private readonly newId: () => string = randomUUID,
  ) {
    super();
  }

  async begin(source: string): Promise<void> {
    // Before a long import is read, not after it.
    if (existsSync(this.file)) this.look(() => undefined);
    await this.close();
    this.source = source;
    this.staged = new StagedMemory();
  }

  async put(rows: readonly ImportedRow[]): Promise<void> {
    if (!this.staged) throw new Error('put before begin');
    try {
      this.staged.put(rows);
    } catch (error) {
      throw cannotStage(error);
    }
  }

  async finish(end: ImportEnd, onProgress: RowProgress): Promise<ImportReport> {
    const { staged, source } = this;
    if (!staged) throw new Error('finish before begin');
    // An import of nothing makes no file and no tables.
    if (staged.count === 0 && !this.isMade()) return NOTHING_DONE;
    const report = this.change((database, meta) => {
      const counts = writeMemory(database, staged, { source, end, onProgress });
      const isChanged = counts.added + counts.updated + counts.removed > 0;
      if (isChanged) this.embed(database, { meta, isForced: false, onProgress });
      return counts;
    });
    await this.close();
    return report;
  }

  async reembed(onProgress: RowProgress): Promise<ReembedReport> {
    if (!this.isMade()) throw memoryMissing(this.file);
    return this.change((database, meta) => {
      const before = memoryStatus(database, meta ?? NOTHING, spaceFor(this.embedder, MANY_ROWS));
      for (const table of MEMORY_TABLES) database.exec(`UPDATE ${tableOf(table)} SET provider = NULL`);
      const space = this.embed(database, { meta, isForced: true, onProgress });
      const rows = Object.values(before.rows).reduce((sum, count) => sum + count, 0);
      return { space, rows, recovered: before.incomparable };
    });
  }

  async forget(source: string): Promise<number> {
    if (!this.isMade()) throw memoryMissing(this.file);
    return this.change((database, meta) => {
      const removed = removeRows(database, source, () => false);
      if (removed > 0) this.embed(database, { meta, isForced: false, onProgress: () => undefined });
      return removed;
    });
  }

  async status(): Promise<MemoryStatus> {
    if (!this.isMade()) throw memoryMissing(this.file);
    const empty = spaceFor(this.embedder, MANY_ROWS);
    return this.look((database, meta) => memoryStatus(database, meta ?? NOTHING, empty));
  }

  async close(): Promise<void> {
    this.staged?.close();
    this.staged = null;
  }

  private isMade(): boolean {
    return existsSync(this.file) && this.look((_, meta) => meta !== null);
  }

  private embed(
    database: Database,
    parts: { meta: MemoryMeta | null; isForced: boolean; onProgress: RowProgress },
  ): ReembedReport['space'] {
    const space = embedMemory(database, { embedder: this.embedder, ...parts });
    raiseMemoryGeneration(database);
    return space;
  }

  /** One read of the file. */
  private look<T>(work: (database: Database, meta: MemoryMeta | null) => T): T {
    const { database } = openForReading(this.file);
    try {
      return work(database, readMemoryMeta(database, this.file));
    } finally {
      database.close();
    }
  }

  /** One change of the file: all of it or nothing. */
  private change<T>(work: (database: Database, meta: MemoryMeta | null) => T): T {
    let database: Database | null = null;
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      const opened = (database = openForWriting(this.file));
      return inTransaction(opened, () => {
        const meta = readMemoryMeta(opened, this.file);
        createMemory(opened, this.newId);
        return work(opened, meta);
      });
    } catch (error) {
      throw cannotWrite(this.file, error);
    } finally {
      database?.close();
    }
  }
}

const NOTHING: MemoryMeta = { generation: '', model: null, dim: 0, fittedRows: 0 };

const NOTHING_DONE: ImportReport = { added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0 };

function memoryMissing(file: string): BackendUnavailableError {
  return new BackendUnavailableError(`There is no memory in ${file}.`, {
    reason: 'memory_missing',
    hint: `Run: pith memory import FILE --index "${file}"`,
  });
}

function cannotStage(error: unknown): unknown {
  if (!/disk is full|disk i\/o error/i.test(messageOf(error))) return error;
  return new BackendUnavailableError(`What is imported can't be kept aside: ${messageOf(error)}.`, {
    reason: 'index_not_writable',
    hint: 'Make room where temporary files lie, or name another place in SQLITE_TMPDIR; memory is as it was.',
    cause: error,
  });
}

function cannotWrite(file: string, error: unknown): unknown {
  if (error instanceof PithError) {
    if (error.reason !== 'index_not_writable') return error;
    const { message, reason } = error;
    const hint = 'Make room on the disk and run it again; memory is as it was.';
    return new BackendUnavailableError(message, { reason, hint, cause: error });
  }
  const text = messageOf(error);
  if (/not a database|malformed/i.test(text)) return notAnIndex(file, text, error);
  if (!/readonly|read-only|unable to open|EACCES|EROFS|ENOTDIR|EEXIST/i.test(text)) return error;
  return new BackendUnavailableError(`Memory can't be written to ${file}: ${text}.`, {
    reason: 'index_read_only',
    hint: 'Choose a place that you may write to with --index FILE.',
    cause: error,
  });
}
