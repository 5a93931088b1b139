import type { Span } from '../../text/span.js';

/** A section's text as it was when a caller was shown it. */
export interface Passage {
  readonly sectionId: string;
  readonly docTag: string;
  readonly repository: string;
  readonly projectId: string;
  readonly environment: string;
  /** Headings from the document's title down. */
  readonly headingPath: readonly string[];
  /** The same as one line, clipped. */
  readonly title: string;
  readonly text: string;
  /** Path of the document, or the page's address where it is known. */
  readonly sourceUri: string;
  readonly url: string | null;
  /** ISO-8601, UTC: when the source was last changed. */
  readonly updatedAt: string;
  /** ISO-8601, UTC. */
  readonly createdAt: string;
  readonly sizeBytes: number;
  /** The part that the caller has seen last. */
  readonly window: Span;
}

/** Whom passages belong to: one session, in one project and environment. */
export interface ScratchOwner {
  readonly sessionId: string;
  readonly projectId: string;
  readonly environment: string;
}

/** A passage under its id. */
export interface KeptPassage {
  readonly id: string;
  readonly passage: Passage;
}

/** A passage as its owner lists it. */
export interface StoredPassage extends KeptPassage {
  readonly expiresInS: number;
}

/** What a store has done so far. */
export interface ScratchCounters {
  /** What there is; of a store that several processes share, as it last told this one. */
  readonly passages: number;
  readonly bytes: number;
  /** What went through this process. */
  readonly evictions: number;
  readonly expirations: number;
}

/**
 * Passages by owner. An owner can reach only its own; the same id of another is unknown. Stores beyond this process
 * throw BackendUnavailableError or DeadlineExceededError where they do not answer.
 */
export abstract class ScratchStore {
  /** Stores or renews; an existing passage keeps its time of creation. The last one is the most recently used. */
  abstract put(owner: ScratchOwner, passages: readonly KeptPassage[]): Promise<void>;
  /** Returns null for unknown, expired and foreign passages alike; renews the others. */
  abstract get(owner: ScratchOwner, id: string): Promise<Passage | null>;
  /** Most recently used first; at most `limit`. */
  abstract list(owner: ScratchOwner, limit: number): Promise<StoredPassage[]>;
  abstract counters(): ScratchCounters;
  /** Asks whether the store answers: for readiness. */
  abstract check(): Promise<void>;
  /** Lets go of connections. */
  abstract close(): Promise<void>;
}
