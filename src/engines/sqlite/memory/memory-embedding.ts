import { MEMORY_TABLES } from '../../../core/ports/memory-store.port.js';
import type { MemoryTable } from '../../../core/ports/memory-store.port.js';
import type { MemorySpace, RowProgress } from '../../../core/ports/memory-writer.port.js';
import type { EmbeddingSpace } from '../../../core/ports/embedder.port.js';
import type { Database } from '../driver.js';
import { tableOf, writeMemoryMeta } from './memory-schema.js';
import type { MemoryMeta } from './memory-schema.js';
import type { StagedMemory } from './staged-memory.js';
import { FOREIGN_PROVIDER } from './write-memory.js';

/** Rows of which the embedder makes the vectors; imported embeddings stay as they are. */
export const OWN = `(provider IS NULL OR provider <> '${FOREIGN_PROVIDER}')`;

/** Rows between two looks at the progress; their texts are in memory at once. */
export const BATCH = 200;

/** What is embedded, and in which circumstances. */
export interface EmbeddingInput {
  /** What was known before this transaction; null for a new memory. */
  readonly meta: MemoryMeta | null;
  /** Embed every row anew, whether or not it has a vector. */
  readonly isForced: boolean;
  readonly onProgress: RowProgress;
}

/** What a transaction is going to embed. */
export interface ToEmbed {
  /** Null while there is no file. */
  readonly database: Database | null;
  /** Null where nothing is imported. */
  readonly staged: StagedMemory | null;
  readonly isForced: boolean;
}

/** Gives the rows of memory their vectors. */
export abstract class RowEmbedder {
  /** The space of questions; `dim` is 0 while only the model's first answer can tell. */
  abstract spaceOf(meta: MemoryMeta): MemorySpace;
  /**
   * Makes vectors before the transaction, which can't wait for a server.
   * @throws BackendUnavailableError, DeadlineExceededError
   */
  abstract prepare(read: (collect: (work: ToEmbed) => void) => void, onProgress: RowProgress): Promise<void>;
  /**
   * Embeds every row that waits for a vector.
   * @returns the space; null where rows have come since `prepare`, so that the transaction has to be begun again
   */
  abstract embed(database: Database, input: EmbeddingInput): MemorySpace | null;
  abstract close(): void;
}

/** Counts the rows of all tables for which a condition holds. */
export function countRows(database: Database, condition: string): number {
  const count = (table: MemoryTable): number =>
    Number(
      database.prepare(`SELECT count(*) AS n FROM ${tableOf(table)} WHERE ${condition}`).get()?.['n'] ?? 0,
    );
  return MEMORY_TABLES.reduce((sum, table) => sum + count(table), 0);
}

/** Begins a new space: every row of the old one waits. @param latent  what it is learnt from; null for none */
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

/** Hands out the rows of a table that wait for a vector, a few at a time. */
export function* waitingRows(
  database: Database,
  table: MemoryTable,
): Generator<{ readonly row: number; readonly text: string }> {
  const next = database.prepare(
    `SELECT row, text FROM ${tableOf(table)} WHERE provider IS NULL AND row > ? ORDER BY row LIMIT ${BATCH}`,
  );
  for (let last = 0, rows = next.all(last); rows.length > 0; rows = next.all(last)) {
    for (const row of rows) yield { row: Number(row['row']), text: String(row['text']) };
    last = Number(rows.at(-1)?.['row']);
  }
}
