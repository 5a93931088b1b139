import type { MemoryTable } from './memory-store.port.js';

/** An embedding that a row came with. */
export interface ForeignEmbedding {
  readonly model: string;
  /** As many finite numbers as its dimension. */
  readonly vector: Float32Array;
}

/** A row as an import brings it. */
export interface ImportedRow {
  /** With its prefix. */
  readonly id: string;
  readonly table: MemoryTable;
  readonly text: string;
  readonly origin: string | null;
  /** Sorted by code unit, each once. */
  readonly tags: readonly string[];
  readonly isPrivate: boolean;
  /** ISO-8601 UTC; null when the row does not say: then that of the import, or the one it had. */
  readonly createdAt: string | null;
  /** Kept as it is and compared with nothing until the row is embedded anew; null for rows to embed at once. */
  readonly embedding: ForeignEmbedding | null;
}

/** What an import is done with. */
export interface ImportEnd {
  /** Whether rows that an earlier import of the same source brought and this one did not are removed. */
  readonly removeMissing: boolean;
  /** ISO-8601 UTC, for rows that don't say when they were made. */
  readonly createdAt: string;
}

export interface ImportReport {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Rows whose id had come before in the same import; the last of them counts. */
  readonly repeated: number;
}

/** In which space rows are compared. */
export interface MemorySpace {
  readonly provider: string;
  readonly model: string;
  readonly dim: number;
}

/** Rows that share their embedder. */
export interface EmbeddedRows extends MemorySpace {
  readonly rows: number;
}

export interface MemoryStatus {
  readonly space: MemorySpace;
  readonly generation: string;
  readonly rows: Readonly<Record<MemoryTable, number>>;
  readonly privateRows: number;
  /** By provider, model and dimension, most first. */
  readonly embedded: readonly EmbeddedRows[];
  readonly incomparable: number;
  /** By import, in order of their names. */
  readonly sources: readonly { readonly source: string; readonly rows: number }[];
}

export interface ReembedReport {
  readonly space: MemorySpace;
  readonly rows: number;
  /** Rows that could not be compared before. */
  readonly recovered: number;
}

/** How many rows are done. */
export type RowProgress = (progress: { readonly done: number; readonly total: number }) => void;

/**
 * Writes memory. Readers see nothing of an import before `finish`, and then all of it at once; what is killed or
 * closed before then leaves no trace.
 */
export abstract class MemoryWriter {
  /** @param source  what the import is called; at most 4,096 characters */
  abstract begin(source: string): Promise<void>;
  abstract put(rows: readonly ImportedRow[]): Promise<void>;
  /** @throws BackendUnavailableError `index_busy`, `index_not_writable` */
  abstract finish(end: ImportEnd, onProgress: RowProgress): Promise<ImportReport>;
  /** Embeds every row anew with the configured embedder. */
  abstract reembed(onProgress: RowProgress): Promise<ReembedReport>;
  /** Removes what one import brought. @returns how many rows */
  abstract forget(source: string): Promise<number>;
  abstract status(): Promise<MemoryStatus>;
  abstract close(): Promise<void>;
}
