import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import { BUILT_IN_PROVIDER, MEMORY_TABLES, type MemorySpace } from '../../core/ports/memory-store.port.js';
import { rowTerms } from '../../memory/recall/memory-terms.js';
import type { StemMemo } from '../../text/terms/search-terms.js';
import type { Database } from '../driver.js';
import { hashWords, packWords } from '../latent/hashed-words.js';
import {
  BATCH,
  beginSpace,
  countRows,
  type EmbeddingInput,
  OWN,
  RowEmbedder,
  writeRowVectors,
} from './memory-embedding.js';
import { type MemoryMeta, tableOf } from './memory-schema.js';
import { isSameSpace, partsOf, readLatentSpace, spaceFor, wholeSpace } from './memory-space.js';

/** As in an index, a latent space is fitted again after the number of rows changed by a fifth. */
const REFIT_AT = 0.2;

/** Only the first terms of a row are used for fitting, which bounds memory use. */
const MAX_FITTED_TERMS = 1_000;

/** Maximum number of cached stems, some 10 MB. */
const MAX_MEMO = 100_000;

/** Rows to fit a space on. Private rows are excluded: results for other rows must not reveal them. */
const LEARNT_FROM = `${OWN} AND is_private = 0`;

/** Fits the latent part on an even sample of the public rows, in the order of tables and ids. */
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
  if (!meta || !isSameSpace(meta, space)) return false;
  return meta.fittedRows === 0 || Math.abs(rowCount - meta.fittedRows) <= meta.fittedRows * REFIT_AT;
}

/** Embeds rows in a space that is fitted on the rows themselves. */
export class FittedRows extends RowEmbedder {
  constructor(private readonly embedder: Embedder) {
    super();
  }

  spaceOf({ provider, model, dim }: MemoryMeta): MemorySpace {
    const isOurs = provider === BUILT_IN_PROVIDER && model !== null;
    return isOurs ? { provider, model, dim } : wholeSpace(this.embedder);
  }

  async prepare(): Promise<void> {
    // All work happens inside the transaction.
  }

  embed(database: Database, { meta, isForced, onProgress }: EmbeddingInput): MemorySpace {
    const rowCount = countRows(database, LEARNT_FROM);
    const space = spaceFor(this.embedder, rowCount);
    const { isLatent } = partsOf(this.embedder, space.model);
    const isFit = !isForced && isStillFit(meta, space, rowCount);
    const makeLatent = (): EmbeddingSpace | null =>
      isFit ? readLatentSpace(database, this.embedder) : fitLatent(database, this.embedder, rowCount);
    const latent = isLatent ? makeLatent() : null;
    if (!isFit) beginSpace(database, space, latent && { space: latent, rowCount });
    const total = countRows(database, 'provider IS NULL');
    const memo: StemMemo = new Map();
    let done = 0;
    writeRowVectors(database, space, (text) => {
      if (memo.size > MAX_MEMO) memo.clear();
      const terms = rowTerms(text, memo);
      if (++done % BATCH === 0 || done === total) onProgress({ done, total });
      return { words: packWords(hashWords(terms)), vector: latent?.embed(terms) ?? null };
    });
    return space;
  }

  close(): void {
    // Nothing to release.
  }
}
