import { BackendUnavailableError, PithError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports/embedder.port.js';
import type {
  MemoryAnswer,
  MemoryQuery,
  MemoryRow,
  MemorySpace,
  MemoryStore,
  MemoryTable,
  ScoredRow,
} from '../../core/ports/memory-store.port.js';
import { questionTerms } from '../../memory/recall/memory-terms.js';
import { BestRows, type RankedRow } from '../best-rows.js';
import { type Row, textOrNull } from '../driver.js';
import type { IndexFile } from '../index-file.js';
import { messageOf } from '../open-database.js';
import type { Synchronous } from '../reader-ports.js';
import {
  columnsOf,
  type LoadedMemory,
  loadMemory,
  MEMORY_LIMITS,
  type MemoryLimits,
  type OpenMemory,
  serves,
} from './memory-cache.js';
import { rowFilter, stringsOf } from './memory-columns.js';
import { likenessOf, recencyOf, vectorLikeness } from './memory-likeness.js';
import { byTable, NO_MEMORY, readMemoryMeta, tableOf } from './memory-schema.js';
import { comparedSpace, wholeSpace } from './memory-space.js';

/** The ranked rows and the number of incomparable ones, before any text is read. */
interface Ranked {
  readonly best: Readonly<Record<MemoryTable, BestRows>>;
  readonly matched: Record<MemoryTable, number>;
  incomparable: number;
}

/** Finds rows of memory in one index file, synchronously. */
export class SqliteMemoryReader implements Synchronous<MemoryStore> {
  private loaded: LoadedMemory | null = null;

  constructor(
    private readonly file: IndexFile,
    private readonly embedder: Embedder,
    private readonly limits: MemoryLimits = MEMORY_LIMITS,
  ) {}

  candidates(query: MemoryQuery): MemoryAnswer {
    const reading = { embedder: this.embedder, embedded: query.embedded };
    try {
      return this.file.readAnything((database, path) => {
        const meta = readMemoryMeta(database, path);
        if (!meta) return this.answerOfNothing(query);
        const open = { database, limits: this.limits };
        if (!this.loaded || !serves(this.loaded, meta, reading)) {
          // Never hold two generations in memory.
          this.loaded = null;
          this.loaded = loadMemory(open, meta, reading);
        }
        return this.answer(open, this.loaded, query);
      });
    } catch (error) {
      throw asStoreFailure(error);
    }
  }

  private answerOfNothing({ embedded }: MemoryQuery): MemoryAnswer {
    return {
      generation: NO_MEMORY.generation,
      ...this.reportedSpace(comparedSpace(this.embedder, NO_MEMORY, embedded)),
      candidates: byTable(() => []),
      matched: byTable(() => 0),
      incomparable: 0,
    };
  }

  private answer(open: OpenMemory, loaded: LoadedMemory, query: MemoryQuery): MemoryAnswer {
    const { best, matched, incomparable } = this.rank(open, loaded, query);
    return {
      generation: loaded.meta.generation,
      ...this.reportedSpace(loaded.space),
      candidates: byTable((table) => readRows(open, { table, ranked: best[table].list() }, query)),
      matched,
      incomparable,
    };
  }

  /** The space to report. If no row can be compared yet, this is the space in which rows will be embedded. */
  private reportedSpace(space: MemorySpace): MemorySpace {
    return space.model === '' ? wholeSpace(this.embedder) : space;
  }

  private rank(open: OpenMemory, loaded: LoadedMemory, query: MemoryQuery): Ranked {
    const ranked: Ranked = {
      best: byTable(() => new BestRows(query.perTable)),
      matched: byTable(() => 0),
      incomparable: 0,
    };
    const [mayAnswer, recency] = [rowFilter(query, loaded.tags), recencyOf(query)];
    const { embedded, text } = query;
    const likeness = embedded ? vectorLikeness(embedded.vector) : likenessOf(questionTerms(text), loaded);
    for (const block of loaded.blocks) {
      const { table } = block;
      const columns = columnsOf(open, loaded, block);
      const scores = likeness(columns);
      for (let row = 0; row < columns.count; row++) {
        if (!mayAnswer(columns, row)) continue;
        if (columns.isComparable[row] === 0) ranked.incomparable++;
        else {
          ranked.matched[table]++;
          const score = (scores[row] ?? 0) * recency(columns.createdAt[row] ?? 0);
          // Rows come in the order of their ids, which decides between equal scores.
          ranked.best[table].offer(columns.rows[row] ?? 0, score, ranked.matched[table]);
        }
      }
    }
    return ranked;
  }
}

function toRow(table: MemoryTable, record: Row): MemoryRow {
  return {
    id: String(record['id']),
    table,
    text: String(record['text']),
    origin: textOrNull(record['origin']),
    tags: stringsOf(record['tags']),
    isPrivate: record['is_private'] !== 0,
    createdAt: String(record['created_at']),
  };
}

/** Reads the best rows. The query checks privacy again. */
function readRows(
  { database }: OpenMemory,
  { table, ranked }: { readonly table: MemoryTable; readonly ranked: readonly RankedRow[] },
  { includePrivate }: MemoryQuery,
): readonly ScoredRow[] {
  const read = database.prepare(
    `SELECT id, text, origin, tags, is_private, created_at FROM ${tableOf(table)} WHERE row = ? AND is_private <= ?`,
  );
  return ranked.flatMap(({ row, score }) => {
    const record = read.get(row, Number(includePrivate));
    return record ? [{ row: toRow(table, record), score }] : [];
  });
}

/** Converts an error into `db_error`, the reason that callers know. */
function asStoreFailure(cause: unknown): BackendUnavailableError {
  const serverFile = cause instanceof PithError ? cause.serverFile : '';
  const failure = (message: string, hint: string, details = {}): BackendUnavailableError =>
    new BackendUnavailableError(message, { reason: 'db_error', hint, details, serverFile, cause });
  if (!(cause instanceof PithError))
    return failure(`Memory can't be read: ${messageOf(cause)}.`, 'Run pith memory status to check the file.');
  const isMissing = cause.reason === 'index_missing';
  const hint = isMissing ? 'Import memory with pith memory import FILE, or correct PITH_INDEX.' : cause.hint;
  return failure(cause.message, hint, { store: cause.reason });
}
