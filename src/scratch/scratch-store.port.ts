import type { Span } from '../kb/span.js';

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

/** A passage as its owner lists it. */
export interface StoredPassage {
  readonly id: string;
  readonly passage: Passage;
  readonly expiresInS: number;
}

/** What a store has done so far. */
export interface ScratchCounters {
  readonly passages: number;
  readonly bytes: number;
  readonly evictions: number;
  readonly expirations: number;
}

/** Passages by session. A session can reach only its own; the same id in another session is unknown. */
export abstract class ScratchStore {
  /** Stores or renews; an existing passage keeps its time of creation. */
  abstract put(sessionId: string, id: string, passage: Passage): Promise<void>;
  /** Returns null for unknown, expired and foreign passages alike; renews the others. */
  abstract get(sessionId: string, id: string): Promise<Passage | null>;
  /** Most recently used first; at most `limit`. */
  abstract list(sessionId: string, limit: number): Promise<StoredPassage[]>;
  abstract counters(): ScratchCounters;
}
