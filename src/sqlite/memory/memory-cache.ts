import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import {
  type EmbeddedQuestion,
  MEMORY_TABLES,
  type MemorySpace,
  type MemoryTable,
} from '../../core/ports/memory-store.port.js';
import type { Database, Row } from '../driver.js';
import { inverseLengths } from '../index/word-postings.js';
import { type MemoryColumns, TagNumbers, toColumns } from './memory-columns.js';
import { WordCounts } from './memory-likeness.js';
import { type MemoryMeta, tableOf } from './memory-schema.js';
import { comparedSpace, isSameSpace, partsOf, readLatentSpace } from './memory-space.js';

export interface MemoryLimits {
  readonly blockRows: number;
  /** Maximum number of cached rows; others are read again for every question. */
  readonly keptRows: number;
}

/** With 30 words each, 200,000 rows are some 100 MB. */
export const MEMORY_LIMITS: MemoryLimits = { blockRows: 10_000, keptRows: 200_000 };

/** Some rows of one table, in the order of their ids. */
interface Block {
  readonly table: MemoryTable;
  /** The block starts after this id. */
  readonly after: string;
  /** Null if they must be read again. */
  readonly columns: MemoryColumns | null;
}

/** A database open for one read. */
export interface OpenMemory {
  readonly database: Database;
  readonly limits: MemoryLimits;
}

/** The part of one generation of memory that questions need. */
export interface LoadedMemory {
  readonly meta: MemoryMeta;
  /** Only rows in this space are compared. */
  readonly space: MemorySpace;
  readonly tags: TagNumbers;
  readonly counts: WordCounts;
  readonly latent: EmbeddingSpace | null;
  readonly blocks: readonly Block[];
}

// Only vectors of the active space are read.
const blockOf = (table: MemoryTable): string => `
  SELECT row, id, created_at, is_private, tags, is_comparable,
    CASE WHEN is_comparable THEN words END AS words, CASE WHEN is_comparable THEN vector END AS vector
  FROM (SELECT *, coalesce(provider = ? AND model = ? AND dim = ?, 0) AS is_comparable FROM ${tableOf(table)})
  WHERE id > ? ORDER BY id LIMIT ?`;

function readBlock(
  { database, limits }: OpenMemory,
  { table, after }: Pick<Block, 'table' | 'after'>,
  { provider, model, dim }: MemorySpace,
): readonly Row[] {
  return database.prepare(blockOf(table)).all(provider, model, dim, after, limits.blockRows);
}

/** The columns of a block; read again if they are not cached. */
export function columnsOf(open: OpenMemory, loaded: LoadedMemory, block: Block): MemoryColumns {
  if (block.columns) return block.columns;
  const columns = toColumns(readBlock(open, block, loaded.space), loaded.tags);
  inverseLengths(columns.words, loaded.counts, columns.inverseLength);
  return columns;
}

interface MemoryReading {
  readonly embedder: Embedder;
  /** Undefined if the embedder embeds the question. */
  readonly embedded: EmbeddedQuestion | undefined;
}

/** True if the loaded rows are of this generation and in the question's space. */
export function serves(
  loaded: LoadedMemory,
  meta: MemoryMeta,
  { embedder, embedded }: MemoryReading,
): boolean {
  const isSame = isSameSpace(loaded.space, comparedSpace(embedder, meta, embedded));
  return isSame && loaded.meta.generation === meta.generation;
}

/** Loads the columns that filter and compare rows of one generation; no texts. */
export function loadMemory(open: OpenMemory, meta: MemoryMeta, reading: MemoryReading): LoadedMemory {
  const { embedder, embedded } = reading;
  const space = comparedSpace(embedder, meta, embedded);
  const isLatent = !embedded && partsOf(embedder, space.model).isLatent;
  const [tags, counts, blocks] = [new TagNumbers(), new WordCounts(), [] as Block[]];
  let kept = 0;
  for (const table of MEMORY_TABLES) {
    for (let after = '', isLast = false; !isLast;) {
      const records = readBlock(open, { table, after }, space);
      const columns = toColumns(records, tags);
      counts.add(columns);
      kept += columns.count;
      blocks.push({ table, after, columns: kept <= open.limits.keptRows ? columns : null });
      isLast = records.length < open.limits.blockRows;
      after = String(records.at(-1)?.['id'] ?? '');
    }
  }
  for (const { columns } of blocks) {
    if (columns) inverseLengths(columns.words, counts, columns.inverseLength);
  }
  const latent = isLatent ? readLatentSpace(open.database, embedder) : null;
  return { meta, space, tags, counts, latent, blocks };
}
