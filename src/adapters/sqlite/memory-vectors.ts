import { BUILT_IN_PROVIDER, MEMORY_TABLES } from '../../inner-voice/memory-store.port.js';
import type { MemoryTable } from '../../inner-voice/memory-store.port.js';
import { rowTerms } from '../../inner-voice/memory-terms.js';
import type { MemorySpace, RowProgress } from '../../inner-voice/memory-writer.port.js';
import type { Embedder, EmbeddingSpace } from '../../kb/embedder.port.js';
import type { StemMemo } from '../../text/search-terms.js';
import type { Database } from './driver.js';
import { tableOf, writeMemoryMeta } from './memory-schema.js';
import type { MemoryMeta } from './memory-schema.js';
import { embedRow, partsOf, readLatentSpace, spaceFor } from './memory-space.js';

/** As an index: a latent space is fitted anew when there are a fifth more or fewer rows. */
const REFIT_AT = 0.2;

/** A space is learnt from what rows begin with: some hundred words tell their company, and memory stays bounded. */
const MAX_FITTED_TERMS = 1_000;

/** Rows that are embedded between two looks at the progress; their texts are in memory at once. */
const BATCH = 200;

/** Words of which the stems are remembered, some 10 MB. */
const MAX_MEMO = 100_000;

/** Rows that Pith embeds: those that wait for it and those that it has embedded. */
const OWN = `(provider IS NULL OR provider = '${BUILT_IN_PROVIDER}')`;

/** Rows that a space is learnt from. Not from private ones: what is found of the others must not tell of them. */
const LEARNT_FROM = `${OWN} AND is_private = 0`;

function count(database: Database, table: MemoryTable, condition: string): number {
  const row = database.prepare(`SELECT count(*) AS n FROM ${tableOf(table)} WHERE ${condition}`).get();
  return Number(row?.['n'] ?? 0);
}

function countAll(database: Database, condition: string): number {
  return MEMORY_TABLES.reduce((sum, table) => sum + count(database, table, condition), 0);
}

/** Learns the latent part from an even sample of the rows that are not private, in the order of tables and ids. */
function fitLatent(database: Database, embedder: Embedder, rowCount: number): EmbeddingSpace {
  const sample: (readonly string[])[] = [];
  let position = 0;
  for (const table of MEMORY_TABLES) {
    const rows = database
      .prepare(`SELECT row FROM ${tableOf(table)} WHERE ${LEARNT_FROM} ORDER BY id`)
      .iterate();
    const read = database.prepare(`SELECT text FROM ${tableOf(table)} WHERE row = ?`);
    for (const { row } of rows) {
      if (!embedder.isFitted(position++, rowCount)) continue;
      sample.push(rowTerms(String(read.get(Number(row))?.['text'])).slice(0, MAX_FITTED_TERMS));
    }
  }
  return embedder.fit(sample);
}

function isStillFit(meta: MemoryMeta | null, space: MemorySpace, rowCount: number): boolean {
  if (meta?.model !== space.model || meta.dim !== space.dim) return false;
  return meta.fittedRows === 0 || Math.abs(rowCount - meta.fittedRows) <= meta.fittedRows * REFIT_AT;
}

/** The latent part to embed with: that of the file while it fits, else a new one, for which all rows wait. */
function latentFor(
  database: Database,
  { embedder, meta, isForced }: EmbeddingInput,
  { space, rowCount }: { readonly space: MemorySpace; readonly rowCount: number },
): EmbeddingSpace | null {
  const { isLatent } = partsOf(embedder, space.model);
  if (!isForced && isStillFit(meta, space, rowCount)) {
    return isLatent ? readLatentSpace(database, embedder) : null;
  }
  const latent = isLatent ? fitLatent(database, embedder, rowCount) : null;
  database.exec('DELETE FROM main.memory_space');
  if (latent) database.prepare('INSERT INTO main.memory_space VALUES (?)').run(latent.pack());
  for (const table of MEMORY_TABLES)
    database.exec(`UPDATE ${tableOf(table)} SET provider = NULL WHERE ${OWN}`);
  writeMemoryMeta(database, {
    model: space.model,
    dim: String(space.dim),
    fitted_rows: String(latent ? rowCount : 0),
  });
  return latent;
}

/** Embeds the rows of a table that wait for it, a few at a time. */
function embedTable(
  database: Database,
  table: MemoryTable,
  embed: (row: number, text: string) => void,
): void {
  const next = database.prepare(
    `SELECT row, text FROM ${tableOf(table)} WHERE provider IS NULL AND row > ? ORDER BY row LIMIT ${BATCH}`,
  );
  for (let last = 0, rows = next.all(last); rows.length > 0; rows = next.all(last)) {
    for (const row of rows) embed(Number(row['row']), String(row['text']));
    last = Number(rows.at(-1)?.['row']);
  }
}

/** What rows are embedded with. */
export interface EmbeddingInput {
  readonly embedder: Embedder;
  /** What was known before this transaction; null for a new memory. */
  readonly meta: MemoryMeta | null;
  /** Fit a new space, whether or not the old one still fits. */
  readonly isForced: boolean;
  readonly onProgress: RowProgress;
}

/** Gives every row that waits for one a vector: in the space of the file, or all of them in a new one. */
export function embedMemory(database: Database, input: EmbeddingInput): MemorySpace {
  const rowCount = countAll(database, LEARNT_FROM);
  const space = spaceFor(input.embedder, rowCount);
  const latent = latentFor(database, input, { space, rowCount });
  const total = countAll(database, 'provider IS NULL');
  const memo: StemMemo = new Map();
  let done = 0;
  for (const table of MEMORY_TABLES) {
    const put = database.prepare(
      `UPDATE ${tableOf(table)} SET provider = ?, model = ?, dim = ?, words = ?, vector = ? WHERE row = ?`,
    );
    embedTable(database, table, (row, text) => {
      if (memo.size > MAX_MEMO) memo.clear();
      const vector = embedRow(latent, text, memo);
      put.run(space.provider, space.model, space.dim, vector.words, vector.latent, row);
      if (++done % BATCH === 0 || done === total) input.onProgress({ done, total });
    });
  }
  return space;
}
