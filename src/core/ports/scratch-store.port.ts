import type { Span } from '../../text/span.js';
import type { GroupLists } from '../document-groups.js';

/** The text of a section, or of a result of a provider, at the time when a caller received it. */
export interface Passage {
  /** The name of the provider for text of a result; absent for text of documents. */
  readonly provider?: string | undefined;
  /** Number of invisible characters that its document has lost; absent for 0. */
  readonly removed?: number;
  /** True if the corpus that it is from does not trust its repository; absent otherwise. */
  readonly isUntrusted?: boolean;
  /** The SHA-256 of the artifact that its document was read from; absent for a file of a folder. */
  readonly artifact?: string;
  /** Name of the named corpus that it is from; absent for the index of the server. */
  readonly corpus?: string;
  readonly sectionId: string;
  readonly docTag: string;
  readonly repository: string;
  /** The groups that may see its document; absent if everybody may. */
  readonly allow?: GroupLists;
  readonly projectId: string;
  readonly environment: string;
  /** Headings from the title of the document down. */
  readonly headingPath: readonly string[];
  /** The heading path as one line, clipped. */
  readonly title: string;
  readonly text: string;
  /** The units of a section, as `packUnits` writes them; '' for a result of a provider. */
  readonly structure: string;
  /** The URL of the page if known, else the path of the document. */
  readonly sourceUri: string;
  /** The public URL of the section, or its path in the reader, from `/`. */
  readonly url: string | null;
  /** Last change of the source; ISO-8601, UTC. */
  readonly updatedAt: string;
  /** ISO-8601, UTC. */
  readonly createdAt: string;
  readonly sizeBytes: number;
  /** The part that the caller received last. */
  readonly window: Span;
}

/** The owner of passages: one session, in one project and environment. */
export interface ScratchOwner {
  readonly sessionId: string;
  readonly projectId: string;
  readonly environment: string;
}

export interface KeptPassage {
  readonly id: string;
  readonly passage: Passage;
}

/** A passage with its remaining lifetime. */
export interface StoredPassage extends KeptPassage {
  readonly expiresInS: number;
}

export interface ScratchCounters {
  /** Current content. For a store that several processes share, the last known values. */
  readonly passages: number;
  readonly bytes: number;
  /** Counted in this process. */
  readonly evictions: number;
  readonly expirations: number;
}

/**
 * Stores passages by owner. Owners can access only their own passages; ids of others are unknown to them. Remote
 * stores throw BackendUnavailableError or DeadlineExceededError if they don't respond.
 */
export abstract class ScratchStore {
  /** Stores or renews passages; existing ones keep their `createdAt`. The last one becomes the most recently used. */
  abstract put(owner: ScratchOwner, passages: readonly KeptPassage[]): Promise<void>;
  /** Returns and renews a passage; null for unknown and expired passages and for those of other owners. */
  abstract get(owner: ScratchOwner, id: string): Promise<Passage | null>;
  /** Most recently used first; at most `limit`. */
  abstract list(owner: ScratchOwner, limit: number): Promise<StoredPassage[]>;
  abstract counters(): ScratchCounters;
  /** Fails if the store doesn't respond; for readiness checks. */
  abstract check(): Promise<void>;
  abstract close(): Promise<void>;
}
