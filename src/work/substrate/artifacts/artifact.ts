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
  /** Max bytes to accept. */
  readonly maxBytes: number;
}

/** Bytes in their order, in parts of any size. */
export type ByteParts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Offsets in the bytes of an artifact, both at most its size; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
