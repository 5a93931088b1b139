import type { WorkSpace } from '../../work-space.js';

/** Stored bytes, without the bytes. */
export interface StoredArtifact {
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
  /** The principal that stored it first. */
  readonly publishedBy: string;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
}

/** Bytes to store. */
export interface NewArtifact extends Pick<StoredArtifact, 'mediaType' | 'publishedBy'> {
  readonly space: WorkSpace;
  /** The SHA-256 that the bytes must have, lower-case hex; null if they may have any. */
  readonly expectedSha256: string | null;
  /** Most bytes to accept. */
  readonly maxBytes: number;
}

/** Bytes in their order, in parts of any size. */
export type ByteParts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Offsets in the bytes of an artifact, both at most its size; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Stores bytes under their SHA-256. Stored bytes are never changed or removed. Several processes may share one store.
 * Equal bytes of two spaces are stored twice, so nobody can tell what another space has. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export abstract class ArtifactStore {
  /**
   * Stores bytes while they arrive. They exist when the promise resolves, and are on the disk then. If anything fails,
   * nothing is kept. Bytes that are stored already stay as they are.
   * @returns the facts of the first save
   * @throws InvalidArgumentError `artifact_too_large`, `sha256_mismatch`; BudgetExceededError `substrate_full` if the
   *   space would hold more than its limit; the error of the parts
   */
  abstract save(artifact: NewArtifact, parts: ByteParts): Promise<StoredArtifact>;
  /** @returns null for an unknown one */
  abstract find(space: WorkSpace, sha256: string): Promise<StoredArtifact | null>;
  /** Those of the given SHA-256 that are not stored, each once, in their order. */
  abstract missing(space: WorkSpace, sha256s: readonly string[]): Promise<string[]>;
  /**
   * The bytes in parts of at most 256 KiB. The last part is given only after the hash of all parts was checked.
   * @throws InvalidArgumentError `artifact_not_found`; BackendUnavailableError `artifact_damaged`
   */
  abstract read(space: WorkSpace, sha256: string): AsyncIterable<Uint8Array>;
  /**
   * Some of the bytes, checked as well. All are read the first time; after that, the work is in proportion to the range.
   * @throws as `read`
   */
  abstract slice(space: WorkSpace, sha256: string, range: ByteRange): Promise<Uint8Array>;
  abstract close(): Promise<void>;
}
