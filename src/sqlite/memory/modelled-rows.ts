import { MEMORY_TABLES, type MemorySpace, type RowProgress } from '../../core/ports/memory-store.port.js';
import type { TextModel } from '../../core/ports/text-model.port.js';
import type { Database } from '../driver.js';
import { packVector } from '../latent/packed-vector.js';
import { PendingTexts } from '../pending-texts.js';
import {
  BATCH,
  beginSpace,
  countRows,
  type EmbeddingInput,
  OWN,
  RowEmbedder,
  type ToEmbed,
  writeRowVectors,
} from './memory-embedding.js';
import { type MemoryMeta, tableOf } from './memory-schema.js';
import { isSameSpace } from './memory-space.js';
import { contentHash } from './write-memory.js';

/** A model that embeds memory, and the name of its provider. */
export interface MemoryModel {
  readonly provider: string;
  readonly model: TextModel;
}

const IN_SPACE = 'coalesce(provider = ? AND model = ? AND dim = ?, 0)';

/** Embeds rows with a model before the transaction: the file must not stay locked while a server answers. */
export class ModelledRows extends RowEmbedder {
  private readonly texts = new PendingTexts();

  constructor(private readonly own: MemoryModel) {
    super();
  }

  spaceOf(meta: MemoryMeta): MemorySpace {
    const { provider, model } = this.own;
    const { name, dimensions } = model.profile;
    const isSame = meta.provider === provider && meta.model === name;
    return { provider, model: name, dim: dimensions || (isSame ? meta.dim : 0) };
  }

  async prepare(read: (collect: (work: ToEmbed) => void) => void, onProgress: RowProgress): Promise<void> {
    const { model } = this.own;
    // The dimension is needed to know if a row is in the space.
    if (model.profile.dimensions === 0) await model.embed(['dimension'], 'section');
    read((work) => this.texts.addAll(this.missing(work)));
    const total = this.texts.count();
    for (let done = 0, batch = this.texts.next(BATCH); batch.length > 0; batch = this.texts.next(BATCH)) {
      const vectors = await model.embed(batch, 'section');
      batch.forEach((text, i) => this.texts.put(text, packVector(vectors[i] ?? new Float32Array())));
      done += batch.length;
      onProgress({ done, total });
    }
  }

  embed(database: Database, { meta, isForced }: EmbeddingInput): MemorySpace | null {
    const space = this.currentSpace();
    if (isForced || !meta || !isSameSpace(meta, space)) beginSpace(database, space, null);
    const isWhole = writeRowVectors(database, space, (text) => {
      const vector = this.texts.vectorOf(text);
      return vector && { words: null, vector };
    });
    return isWhole ? space : null;
  }

  close(): void {
    this.texts.close();
  }

  private currentSpace(): MemorySpace {
    const { provider, model } = this.own;
    return { provider, model: model.profile.name, dim: model.profile.dimensions };
  }

  /** The texts of stored and imported rows that have no vector in this space. */
  private *missing({ database, staged, isForced }: ToEmbed): Generator<string> {
    const { provider, model, dim } = this.currentSpace();
    const key = [provider, model, dim];
    const hasRows = database !== null && countRows(database, 'TRUE') > 0;
    for (const table of hasRows ? MEMORY_TABLES : []) {
      const which = isForced ? 'TRUE' : `${OWN} AND NOT ${IN_SPACE}`;
      const rows = database?.prepare(`SELECT text FROM ${tableOf(table)} WHERE ${which}`);
      for (const { text } of rows?.iterate(...(isForced ? [] : key)) ?? []) yield String(text);
    }
    for (const row of staged?.rows() ?? []) {
      if (row.embedding) continue;
      const same = `SELECT 1 FROM ${tableOf(row.table)} WHERE id = ? AND content_hash = ? AND ${IN_SPACE}`;
      const isKnown = hasRows && database?.prepare(same).get(row.id, contentHash(row), ...key) !== undefined;
      if (!isKnown) yield row.text;
    }
  }
}
