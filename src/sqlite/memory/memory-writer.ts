import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { BackendUnavailableError, PithError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports/embedder.port.js';
import {
  type ImportedRow,
  type ImportEnd,
  type ImportReport,
  MEMORY_TABLES,
  type MemorySpace,
  type MemoryStatus,
  type ReembedReport,
  type RowProgress,
} from '../../core/ports/memory-store.port.js';
import type { Database } from '../driver.js';
import { inTransaction } from '../in-transaction.js';
import {
  indexDamaged,
  isDamaged,
  messageOf,
  openForReading,
  openForWriting,
  withDamageExplained,
} from '../open-database.js';
import { FittedRows } from './fitted-rows.js';
import type { RowEmbedder, ToEmbed } from './memory-embedding.js';
import {
  createMemory,
  type MemoryMeta,
  NO_MEMORY,
  raiseMemoryGeneration,
  readMemoryMeta,
  tableOf,
} from './memory-schema.js';
import { readMemoryStatus } from './memory-status.js';
import { type MemoryModel, ModelledRows } from './modelled-rows.js';
import { StagedMemory } from './staged-memory.js';
import { removeRows, writeMemory } from './write-memory.js';

/** Other imports changed memory during every attempt. */
function memoryRestless(): BackendUnavailableError {
  return new BackendUnavailableError('Memory changed repeatedly while rows were embedded.', {
    reason: 'index_busy',
    hint: 'Run it again when no other import is running. Memory is unchanged.',
  });
}

/** The file holds no memory yet. */
function memoryMissing(file: string): BackendUnavailableError {
  return new BackendUnavailableError(`There is no memory in ${file}.`, {
    serverFile: file,
    reason: 'memory_missing',
    hint: `Run: pith memory import FILE --index "${file}"`,
  });
}

/** Explains a full disk for temporary files; other errors are returned as they are. */
function cannotStage(error: unknown): unknown {
  if (!/disk is full|disk i\/o error/i.test(messageOf(error))) return error;
  return new BackendUnavailableError(
    `The rows to import can't be written to a temporary file: ${messageOf(error)}.`,
    {
      reason: 'index_not_writable',
      hint: 'Free space in the folder for temporary files, or set SQLITE_TMPDIR to another folder. Memory is unchanged.',
      cause: error,
    },
  );
}

/** Explains why the index file can't be written; other errors are returned as they are. */
function cannotWrite(file: string, error: unknown): unknown {
  if (error instanceof PithError) {
    if (error.reason !== 'index_not_writable') return error;
    const { message, reason } = error;
    const hint = 'Free disk space and run it again. Memory is unchanged.';
    return new BackendUnavailableError(message, { reason, hint, cause: error });
  }
  const text = messageOf(error);
  if (isDamaged(error)) return indexDamaged(file, error);
  if (!/readonly|read-only|unable to open|EACCES|EROFS|ENOTDIR|EEXIST/i.test(text)) return error;
  return new BackendUnavailableError(`Memory can't be written to ${file}: ${text}.`, {
    serverFile: file,
    reason: 'index_read_only',
    hint: 'Choose a writable path with --index FILE.',
    cause: error,
  });
}

/** Maximum number of attempts if other imports interfere. */
const MAX_ATTEMPTS = 3;

/**
 * Writes memory into the index file. Readers see an import as a whole after `finish`; without `finish` it has no effect.
 * Nothing is opened for writing before an import is complete.
 */
export class MemoryWriter {
  private staged: StagedMemory | null = null;
  private source = '';
  private readonly makeRows: () => RowEmbedder;

  constructor(
    private readonly file: string,
    embedder: Embedder,
    /** Null if the embedder makes the vectors. */
    private readonly model: MemoryModel | null = null,
    private readonly newId: () => string = randomUUID,
  ) {
    this.makeRows = () => (model ? new ModelledRows(model) : new FittedRows(embedder));
  }

  /** @param source  name of the import; at most 4,096 characters */
  async begin(source: string): Promise<void> {
    // Fail before a long import is read, not after it.
    if (existsSync(this.file)) this.look(() => undefined);
    this.discard();
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

  /** @throws BackendUnavailableError `index_busy`, `index_not_writable` */
  async finish(end: ImportEnd, onProgress: RowProgress): Promise<ImportReport> {
    const { staged, source } = this;
    if (!staged) throw new Error('finish before begin');
    // An empty import creates neither file nor tables.
    if (staged.count === 0 && !this.isMade()) return NOTHING_DONE;
    const report = await this.changeRows({ staged, isForced: false }, onProgress, (database) => {
      const counts = writeMemory(database, staged, { source, end, onProgress });
      return { report: counts, isChanged: counts.added + counts.updated + counts.removed > 0 };
    });
    this.discard();
    return report.report;
  }

  /** Re-embeds every row with the configured embedder. */
  async reembed(onProgress: RowProgress): Promise<ReembedReport> {
    if (!this.isMade()) throw memoryMissing(this.file);
    const empty: Change<MemoryStatus> = (database, meta, rows) => {
      const before = readMemoryStatus(database, meta, rows.spaceOf(meta));
      for (const table of MEMORY_TABLES) database.exec(`UPDATE ${tableOf(table)} SET provider = NULL`);
      return { report: before, isChanged: true };
    };
    const { report, space } = await this.changeRows({ staged: null, isForced: true }, onProgress, empty);
    const rows = Object.values(report.rows).reduce((sum, count) => sum + count, 0);
    return { space, rows, recovered: report.incomparable };
  }

  /** Removes the rows of one import. @returns number of removed rows */
  async forget(source: string): Promise<number> {
    if (!this.isMade()) throw memoryMissing(this.file);
    const remove: Change<number> = (database) => {
      const removed = removeRows(database, source, () => false);
      return { report: removed, isChanged: removed > 0 };
    };
    return (await this.changeRows({ staged: null, isForced: false }, () => undefined, remove)).report;
  }

  async status(): Promise<MemoryStatus> {
    if (!this.isMade()) throw memoryMissing(this.file);
    const rows = this.makeRows();
    try {
      return this.look((database, meta) =>
        readMemoryStatus(database, meta ?? NO_MEMORY, rows.spaceOf(meta ?? NO_MEMORY)),
      );
    } finally {
      rows.close();
    }
  }

  /** Discards an import that is not finished, and closes the model. */
  async close(): Promise<void> {
    this.discard();
    await this.model?.model.close();
  }

  private discard(): void {
    this.staged?.close();
    this.staged = null;
  }

  private isMade(): boolean {
    return existsSync(this.file) && this.look((_, meta) => meta !== null);
  }

  /**
   * Changes rows and stores a vector for each row without one, in one transaction. A model computes its vectors before
   * the transaction; if other rows have arrived in between, both steps are repeated.
   */
  private async changeRows<T>(
    { staged, isForced }: Pick<ToEmbed, 'staged' | 'isForced'>,
    onProgress: RowProgress,
    change: Change<T>,
  ): Promise<{ readonly report: T; readonly space: MemorySpace }> {
    const rows = this.makeRows();
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        await rows.prepare((collect) => this.collect(collect, { staged, isForced }), onProgress);
        const done = this.tryChange(rows, { isForced, onProgress, change });
        if (done) return done;
      }
    } finally {
      rows.close();
    }
    throw memoryRestless();
  }

  private collect(collect: (work: ToEmbed) => void, work: Pick<ToEmbed, 'staged' | 'isForced'>): void {
    if (!existsSync(this.file)) return collect({ database: null, ...work });
    this.look((database, meta) => collect({ database: meta && database, ...work }));
  }

  /** Null if rows without prepared vectors arrived; then nothing is changed. */
  private tryChange<T>(
    rows: RowEmbedder,
    { isForced, onProgress, change }: { isForced: boolean; onProgress: RowProgress; change: Change<T> },
  ): { readonly report: T; readonly space: MemorySpace } | null {
    try {
      return this.change((database, meta) => {
        const { report, isChanged } = change(database, meta ?? NO_MEMORY, rows);
        if (!isChanged) return { report, space: rows.spaceOf(meta ?? NO_MEMORY) };
        const space = rows.embed(database, { meta, isForced, onProgress });
        if (!space) throw new RowsUnprepared();
        raiseMemoryGeneration(database);
        return { report, space };
      });
    } catch (error) {
      if (error instanceof RowsUnprepared) return null;
      throw error;
    }
  }

  /** One read of the file. */
  private look<T>(work: (database: Database, meta: MemoryMeta | null) => T): T {
    const { database } = openForReading(this.file);
    try {
      return work(database, readMemoryMeta(database, this.file));
    } catch (error) {
      throw withDamageExplained(this.file, error);
    } finally {
      database.close();
    }
  }

  /** One change of the file: all of it or nothing. */
  private change<T>(work: (database: Database, meta: MemoryMeta | null) => T): T {
    let database: Database | null = null;
    try {
      makeFolder(dirname(this.file));
      const opened = (database = openForWriting(this.file));
      const result = inTransaction(opened, () => {
        const meta = readMemoryMeta(opened, this.file);
        createMemory(opened, this.newId);
        return work(opened, meta);
      });
      // The log has the pages from before the change; while readers use it, it is emptied by a later one.
      opened.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      return result;
    } catch (error) {
      throw cannotWrite(this.file, error);
    } finally {
      database?.close();
    }
  }
}

/** Changes rows; reports if any row changed. */
type Change<T> = (
  database: Database,
  meta: MemoryMeta,
  rows: RowEmbedder,
) => { readonly report: T; readonly isChanged: boolean };

/** Thrown to roll back a transaction with unprepared rows. */
class RowsUnprepared extends Error {}

const NOTHING_DONE: ImportReport = { added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0 };
