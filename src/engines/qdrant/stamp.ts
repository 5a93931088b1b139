import { BackendUnavailableError } from '../../core/errors.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IndexStamp } from '../../core/ports/index-facts.js';
import { type Scope, type SeenScope, seenScope } from '../../core/scope.js';
import { TEXT_VERSIONS } from '../../sqlite/schema.js';
import { STAMP_ID } from './names.js';
import { type Point, POINTS_VERSION } from './points.js';

/** A blob that is stored in parts among the points. Its name is its hash, so two generations never mix. */
export interface BlobStamp {
  readonly digest: string;
  readonly parts: number;
}

/**
 * The blobs of an index: the terms of an earlier generation, and what has changed in them; acronyms, the manifest's
 * declaration, the embedding space, and the lists of groups.
 */
export type BlobName = 'vocabulary' | 'changes' | 'acronyms' | 'declaration' | 'space' | 'groups';

/** The metadata of a collection. */
export interface QdrantStamp extends Omit<IndexStamp, 'groups'> {
  readonly identity: string;
  /** Id of the run that wrote it; a run that finds another id is not the only writer. */
  readonly run: string;
  /** False while the collection is being written. */
  readonly isWhole: boolean;
  readonly sectionCount: number;
  /** Average number of terms in a section; the weights in the points use it rounded by `roundedAverage`. */
  readonly averageLength: number;
  /** Approximate size of all points. */
  readonly bytes: number;
  /** Number of points of sections and documents. */
  readonly points: number;
  readonly blobs: Readonly<Partial<Record<BlobName, BlobStamp>>>;
}

/** The versions and the embedder of a collection; collections with another identity can't be read. */
export function identityOf({ name, dimensions }: EmbedderProfile): string {
  return JSON.stringify({ points: POINTS_VERSION, ...TEXT_VERSIONS, embedder: name, dimensions });
}

/** Makes the point that stores a stamp. */
export function stampPoint(stamp: QdrantStamp): Point {
  return { id: STAMP_ID, vector: {}, payload: { kind: 'stamp', stamp: JSON.stringify(stamp) } };
}

/** Parses the stamp in a point's payload. @returns null if the payload has no stamp */
export function readStamp(payload: Readonly<Record<string, unknown>> | null | undefined): QdrantStamp | null {
  const { stamp, run } = payload ?? {};
  if (typeof stamp !== 'string') return null;
  // Written by `stampPoint`; the identity is checked before other fields are used.
  const stored = JSON.parse(stamp) as QdrantStamp;
  // A run that claims the collection keeps the rest of its stamp.
  return typeof run === 'string' ? { ...stored, run } : stored;
}

/** The error when nothing was published for this project and environment. */
export function indexMissing(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('Qdrant holds no index for this project and environment.', {
    reason: 'index_missing',
    hint: 'Run: pith index <folder>, with PITH_SECTION_ENGINE=qdrant and the same project and environment.',
    cause,
  });
}

/** The error for an index that this server can't read. */
export function indexIncompatible(why: string): BackendUnavailableError {
  return new BackendUnavailableError(`The index in Qdrant can't be read by this version: ${why}.`, {
    reason: 'index_incompatible',
    hint: 'Run pith index again with this version and the same PITH_EMBEDDER.',
  });
}

/** A stamp with the lists of groups of its documents; see `IndexStamp`. */
export interface ReadStamp extends Pick<IndexStamp, 'groups'> {
  readonly stamp: QdrantStamp;
}

/** A scope in an index, which holds one project and environment. @throws BackendUnavailableError `index_incompatible` */
export function scopeIn({ stamp, groups }: ReadStamp, scope: Scope): SeenScope {
  const { projectId, environment } = stamp;
  if (projectId === scope.projectId && environment === scope.environment) return seenScope(scope, groups);
  throw indexIncompatible('it holds another project or environment');
}
