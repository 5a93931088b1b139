/** The tables of memory, in the order of their id prefixes `t:`, `e:`, `o:`. */
export const MEMORY_TABLES = ['thoughts', 'kg_entities', 'kg_observations'] as const;
export type MemoryTable = (typeof MEMORY_TABLES)[number];

/** Provider name of the built-in embedder. */
export const BUILT_IN_PROVIDER = 'pith';

/** A stored thought, entity or observation. */
export interface MemoryRow {
  /** With its prefix: t:, e: or o: */
  readonly id: string;
  readonly table: MemoryTable;
  readonly text: string;
  /** As imported: human, logged, tool, model, or anything else; null if not given. */
  readonly origin: string | null;
  /** Distinct, sorted by code unit. */
  readonly tags: readonly string[];
  readonly isPrivate: boolean;
  /** ISO-8601 UTC */
  readonly createdAt: string;
}

/** The vector of a question. It is compared only with rows of the same provider, model and dimension. */
export interface EmbeddedQuestion {
  readonly provider: string;
  readonly model: string;
  /** Normalized to length 1. */
  readonly vector: Float32Array;
}

/** A question to memory, with filters. */
export interface MemoryQuery {
  readonly text: string;
  /** Undefined if the built-in embedder embeds `text`. */
  readonly embedded?: EmbeddedQuestion;
  /** Largest number of candidates per table, best first. */
  readonly perTable: number;
  readonly includePrivate: boolean;
  /** Rows need one of these tags; null = no condition, [] = no row. */
  readonly includeTags: readonly string[] | null;
  /** Rows need this tag as well; null = no condition. */
  readonly ownTag: string | null;
  readonly excludeTags: readonly string[];
  /** ISO-8601, inclusive; null = no bound. A date without a time is the whole day; a time without a zone is UTC. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
  /** Half-life in days: the score is multiplied by 0.5^(age/halfLife); null = off. */
  readonly halfLifeDays: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ScoredRow {
  readonly row: MemoryRow;
  /** Cosine, after damping by age if enabled; -1 to 1. */
  readonly score: number;
}

/** The embedding space in which rows are compared. */
export interface MemorySpace {
  readonly provider: string;
  readonly model: string;
  readonly dim: number;
}

export interface MemoryAnswer extends MemorySpace {
  readonly generation: string;
  /** By table: best first, ties by id; without a minimum score. */
  readonly candidates: Readonly<Record<MemoryTable, readonly ScoredRow[]>>;
  /** By table: number of comparable rows that match the filters, before minimum score and limit. */
  readonly matched: Readonly<Record<MemoryTable, number>>;
  /** Number of rows that match the filters but were embedded with another model or dimension. */
  readonly incomparable: number;
}

/** Searches memory by similarity. Private rows need `includePrivate`. Without imported rows, the lists are empty. */
export abstract class MemoryStore {
  /** @throws BackendUnavailableError `embedder_unavailable` if the query can't be embedded, else `db_error` */
  abstract candidates(query: MemoryQuery): Promise<MemoryAnswer>;
  abstract close(): Promise<void>;
}

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
