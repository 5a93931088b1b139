/** Where rows lie. Each has a letter that its ids begin with: `t:`, `e:`, `o:`. */
export const MEMORY_TABLES = ['thoughts', 'kg_entities', 'kg_observations'] as const;
export type MemoryTable = (typeof MEMORY_TABLES)[number];

/** What the embedder that comes with Pith is called. */
export const BUILT_IN_PROVIDER = 'pith';

/** One thing that was noted. */
export interface MemoryRow {
  /** With its prefix: t:, e:, o: */
  readonly id: string;
  readonly table: MemoryTable;
  readonly text: string;
  /** As imported: human, logged, tool, model, or anything else; null when the row had none. */
  readonly origin: string | null;
  /** Sorted by code unit, each once. */
  readonly tags: readonly string[];
  readonly isPrivate: boolean;
  /** ISO-8601 UTC */
  readonly createdAt: string;
}

/** A question as a model embedded it; only rows of the same provider, model and dimension are compared with it. */
export interface EmbeddedQuestion {
  readonly provider: string;
  readonly model: string;
  /** Of length 1. */
  readonly vector: Float32Array;
}

/** A question to memory, and which rows may answer it. */
export interface MemoryQuery {
  readonly text: string;
  /** Undefined where the built-in embedder reads `text`. */
  readonly embedded?: EmbeddedQuestion;
  /** Most candidates of each table, best first. */
  readonly perTable: number;
  readonly includePrivate: boolean;
  /** Any of these; null = no condition, [] = no row. */
  readonly includeTags: readonly string[] | null;
  readonly excludeTags: readonly string[];
  /** ISO-8601, inclusive; null = open. A day without a time is the whole day; a time without a zone is UTC. */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
  /** Half-life in days by which the score is damped with age: times 0.5^(age/halfLife); null = off */
  readonly halfLifeDays: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ScoredRow {
  readonly row: MemoryRow;
  /** cosine, after recency if on, -1..1 */
  readonly score: number;
}

export interface MemoryAnswer {
  readonly generation: string;
  readonly provider: string;
  readonly model: string;
  readonly dim: number;
  /** By table: best first, ties by id; unfloored. */
  readonly candidates: Readonly<Record<MemoryTable, readonly ScoredRow[]>>;
  /** By table: rows that the filters let through and that could be compared, before floor and cap. */
  readonly matched: Readonly<Record<MemoryTable, number>>;
  /** Rows that the filters let through and that were not compared: embedded with another model or dimension. */
  readonly incomparable: number;
}

/**
 * Memory, by likeness to a question. Rows of private thoughts leave it only with `includePrivate`. Where nothing was
 * imported it answers with empty lists.
 */
export abstract class MemoryStore {
  /** @throws BackendUnavailableError reason `embedder_unavailable` when the query can't be embedded, `db_error` when the store fails */
  abstract candidates(query: MemoryQuery): Promise<MemoryAnswer>;
  abstract close(): Promise<void>;
}
