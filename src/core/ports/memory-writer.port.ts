import type { MemoryRow, MemorySpace, MemoryTable } from './memory-store.port.js';

/** An embedding that was imported with its row. */
export interface ForeignEmbedding {
  readonly model: string;
  /** Finite numbers. */
  readonly vector: Float32Array;
}

export interface ImportedRow extends Omit<MemoryRow, 'createdAt'> {
  /** ISO-8601 UTC; null if not given: an existing row keeps its time, a new row gets that of the import. */
  readonly createdAt: string | null;
  /** Stored unchanged, and not comparable until the row is re-embedded; null to embed the row now. */
  readonly embedding: ForeignEmbedding | null;
}

export interface ImportEnd {
  /** True to remove rows of an earlier import of the same source that are missing in this one. */
  readonly removeMissing: boolean;
  /** Time of the import, for rows without a time; ISO-8601 UTC. */
  readonly createdAt: string;
}

export interface ImportReport {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Rows with an id that occurred earlier in the same import; the last row is kept. */
  readonly repeated: number;
}

/** Number of rows in one embedding space. */
export interface EmbeddedRows extends MemorySpace {
  readonly rows: number;
}

export interface MemoryStatus {
  readonly space: MemorySpace;
  readonly generation: string;
  readonly rows: Readonly<Record<MemoryTable, number>>;
  readonly privateRows: number;
  /** By provider, model and dimension; most rows first. */
  readonly embedded: readonly EmbeddedRows[];
  readonly incomparable: number;
  /** By import, sorted by name. */
  readonly sources: readonly { readonly source: string; readonly rows: number }[];
}

export interface ReembedReport {
  readonly space: MemorySpace;
  readonly rows: number;
  /** Rows that were not comparable before. */
  readonly recovered: number;
}

export type RowProgress = (progress: { readonly done: number; readonly total: number }) => void;

/** Writes memory. Readers see an import as a whole after `finish`; without `finish` it has no effect. */
export abstract class MemoryWriter {
  /** @param source  name of the import; at most 4,096 characters */
  abstract begin(source: string): Promise<void>;
  abstract put(rows: readonly ImportedRow[]): Promise<void>;
  /** @throws BackendUnavailableError `index_busy`, `index_not_writable` */
  abstract finish(end: ImportEnd, onProgress: RowProgress): Promise<ImportReport>;
  /** Re-embeds every row with the configured embedder. */
  abstract reembed(onProgress: RowProgress): Promise<ReembedReport>;
  /** Removes the rows of one import. @returns number of removed rows */
  abstract forget(source: string): Promise<number>;
  abstract status(): Promise<MemoryStatus>;
  abstract close(): Promise<void>;
}
