import { BackendUnavailableError } from '../../core/errors.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IndexStamp } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { SECTIONING_VERSION } from '../../ingest/built-index.js';
import { ANALYSER_VERSION } from '../../text/search-terms.js';
import { STAMP_ID } from './names.js';
import { type Point, POINTS_VERSION } from './points.js';

/** A blob that lies in parts beside the points; named by what is in it, so that two generations never mix. */
export interface BlobStamp {
  readonly digest: string;
  readonly parts: number;
}

/** The blobs of an index: terms, acronyms, what the manifest says, and the embedding space. */
export type BlobName = 'vocabulary' | 'acronyms' | 'declaration' | 'space';

/** What a collection says of itself. */
export interface QdrantStamp extends IndexStamp {
  readonly identity: string;
  /** The run that wrote it: who finds another one's is not alone. */
  readonly run: string;
  /** Whether all of it is there; not while it is being written. */
  readonly isWhole: boolean;
  readonly sectionCount: number;
  /** Of a section in terms; the weights in the points were made with it rounded: `roundedAverage`. */
  readonly averageLength: number;
  /** Of all points, roughly. */
  readonly bytes: number;
  readonly blobs: Readonly<Partial<Record<BlobName, BlobStamp>>>;
}

/** What a collection was built with: two that differ in anything can't be read as one another. */
export function identityOf({ name, dimensions }: EmbedderProfile): string {
  return JSON.stringify({
    points: POINTS_VERSION,
    sectioning: SECTIONING_VERSION,
    tokenizer: ANALYSER_VERSION,
    embedder: name,
    dimensions,
  });
}

/**
 * Whether an index can be read with an embedder. One whose dimensions nobody knows before its first answer, since its
 * model may be down, takes those of the index.
 */
export function fitsIdentity(stored: string, profile: EmbedderProfile): boolean {
  if (profile.dimensions > 0 || !profile.recalls) return stored === identityOf(profile);
  return stored.replace(/"dimensions":\d+/, '"dimensions":0') === identityOf(profile);
}

/** The point that holds a stamp. */
export function stampPoint(stamp: QdrantStamp): Point {
  return { id: STAMP_ID, vector: {}, payload: { kind: 'stamp', stamp: JSON.stringify(stamp) } };
}

/** The stamp in a point's payload; null where it holds none. */
export function readStamp(payload: Readonly<Record<string, unknown>> | null | undefined): QdrantStamp | null {
  const stamp = payload?.['stamp'];
  // Written by `stampPoint`; its identity is compared before anything else of it is used.
  return typeof stamp === 'string' ? (JSON.parse(stamp) as QdrantStamp) : null;
}

/** Nothing was ever published under this name. */
export function indexMissing(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('Qdrant holds no index for this project and environment.', {
    reason: 'index_missing',
    hint: 'Run: pith index <folder>, with PITH_SECTION_ENGINE=qdrant and the same project and environment.',
    cause,
  });
}

/** What lies there is of no use to this server. */
export function indexIncompatible(why: string): BackendUnavailableError {
  return new BackendUnavailableError(`The index in Qdrant can't be read by this version: ${why}.`, {
    reason: 'index_incompatible',
    hint: 'Run pith index again with this version and the same PITH_EMBEDDER.',
  });
}

/** One index holds one project and environment. @throws BackendUnavailableError `index_incompatible` */
export function checkScope({ projectId, environment }: IndexStamp, scope: Scope): void {
  if (projectId === scope.projectId && environment === scope.environment) return;
  throw indexIncompatible('it holds another project or environment');
}
