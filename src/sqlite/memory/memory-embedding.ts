import type { EmbeddingSpace } from '../../core/ports/embedder.port.js';
import {
  MEMORY_TABLES,
  type MemorySpace,
  type MemoryTable,
  type RowProgress,
} from '../../core/ports/memory-store.port.js';
import { countIn, type Database } from '../driver.js';
import { type MemoryMeta, tableOf, writeMemoryMeta } from './memory-schema.js';
import type { StagedMemory } from './staged-memory.js';
import { FOREIGN_PROVIDER } from './write-memory.js';

/** Rows that the embedder embeds; imported embeddings stay unchanged. */
export const OWN = `(provider IS NULL OR provider <> '${FOREIGN_PROVIDER}')`;

/** Rows per batch; their texts are in memory at once. */
export const BATCH = 200;

/** The state in which rows are embedded. */
export interface EmbeddingInput {
  /** Metadata before this transaction; null for a new memory. */
  readonly meta: MemoryMeta | null;
  /** Embed every row again, even if it has a vector. */
  readonly isForced: boolean;
  readonly onProgress: RowProgress;
}

/** The rows that a transaction will embed. */
export interface ToEmbed {
  /** Null if there is no file. */
  readonly database: Database | null;
  /** Null if nothing is imported. */
  readonly staged: StagedMemory | null;
  readonly isForced: boolean;
}

/** Gives the rows of memory their vectors. */
export abstract class RowEmbedder {
  /** The space of questions; `dim` is 0 until the model's first answer. */
  abstract spaceOf(meta: MemoryMeta): MemorySpace;
  /** Makes vectors before the transaction, which can't wait. @throws BackendUnavailableError, DeadlineExceededError */
  abstract prepare(read: (collect: (work: ToEmbed) => void) => void, onProgress: RowProgress): Promise<void>;
  /** Embeds every row that waits for a vector. @returns the space; null if rows arrived after `prepare` */
  abstract embed(database: Database, input: EmbeddingInput): MemorySpace | null;
  abstract close(): void;
}

/** Counts the rows of all tables that meet a condition. */
export function countRows(database: Database, condition: string): number {
  return MEMORY_TABLES.reduce(
    (sum, table) => sum + countIn(database, `${tableOf(table)} WHERE ${condition}`),
    0,
  );
}

/** Starts a new space: all rows wait for a vector. @param latent  the fitted part; null for none */
export function beginSpace(
  database: Database,
  { provider, model, dim }: MemorySpace,
  latent: { readonly space: EmbeddingSpace; readonly rowCount: number } | null,
): void {
  database.exec('DELETE FROM main.memory_space');
  if (latent) database.prepare('INSERT INTO main.memory_space VALUES (?)').run(latent.space.pack());
  for (const table of MEMORY_TABLES)
    database.exec(`UPDATE ${tableOf(table)} SET provider = NULL WHERE ${OWN}`);
  writeMemoryMeta(database, {
    provider,
    model,
    dim: String(dim),
    fitted_rows: String(latent?.rowCount ?? 0),
  });
}

/** Yields the rows of a table that wait for a vector, in batches. */
function* waitingRows(database: Database, table: MemoryTable): Generator<{ row: number; text: string }> {
  const next = database.prepare(
    `SELECT row, text FROM ${tableOf(table)} WHERE provider IS NULL AND row > ? ORDER BY row LIMIT ${BATCH}`,
  );
  for (let last = 0, rows = next.all(last); rows.length > 0; rows = next.all(last)) {
    for (const row of rows) yield { row: Number(row['row']), text: String(row['text']) };
    last = Number(rows.at(-1)?.['row']);
  }
}

/**
 * Writes the vectors of all rows that wait for one.
 * @param vectorOf  null if the text has no vector
 * @returns false if a row has no vector; later rows are then not written
 */
export function writeRowVectors(
  database: Database,
  { provider, model, dim }: MemorySpace,
  vectorOf: (
    text: string,
  ) => { readonly words: Uint8Array | null; readonly vector: Uint8Array | null } | null,
): boolean {
  for (const table of MEMORY_TABLES) {
    const put = database.prepare(
      `UPDATE ${tableOf(table)} SET provider = ?, model = ?, dim = ?, words = ?, vector = ? WHERE row = ?`,
    );
    for (const { row, text } of waitingRows(database, table)) {
      const found = vectorOf(text);
      if (!found) return false;
      put.run(provider, model, dim, found.words, found.vector, row);
    }
  }
  return true;
}
